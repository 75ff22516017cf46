import TestSupport

extension SignInBench {
    /// How much CPU a sign-in by passkey may need, in parts of one by code.
    private static let boundPasskey = 1.0

    /// Measures the cost of a sign-in by passkey (`options`, `verify`) relative to one by code (request, verify) of the same users,
    /// who have an account: both on one stack, in turn.
    func runByPasskey(pairs count: Int) async throws -> [Figure] {
        let size = max(self.count / count, 1)
        return try await withScratchFolder { folder in
            let policy = try BenchPolicy.write(in: folder) {
                try $0.change("trustedProxies: []", to: "trustedProxies: []\n\(PasskeyLoad.section)")
            }
            return try await StackUnderLoad.run(name: "bench-signin", environment: ["LATCHKEY_POLICY": policy]) {
                load in
                let users = try await PasskeyLoad(0..<(count + 1) * size, load, connections: connectionCount)
                return try await pairs(count, size, users, load)
            }
        }
    }

    private func pairs(
        _ count: Int, _ size: Int, _ users: PasskeyLoad, _ load: StackUnderLoad
    ) async throws -> [Figure] {
        try await Pairs.run(count) { turn in
            try await round(size, load) {
                try await users.signIn(turn * size..<(turn + 1) * size, load, connections: connectionCount)
            }
        } theirs: { turn in
            try await round(size, load) {
                try await load.signIn(
                    turn * size..<(turn + 1) * size, isNew: false, connections: connectionCount
                ).values
            }
        }.worse(["cpu.total": Self.boundPasskey]).under("against.signin")
    }
}

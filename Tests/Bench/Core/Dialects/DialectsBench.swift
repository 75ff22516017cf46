import AccessTokens

/// The cost of a refresh through another dialect, or by cookie, relative to the native one: one stack, and a policy that gives
/// both dialects the same profile under two names.
package struct DialectsBench: Sendable {
    /// Processes whose CPU is compared: what a refresh costs Redis does not depend on how it is spelt.
    static let charged = ["gateway", "token"]
    /// The number of sessions of each dialect.
    private static let sessionCount = 1000

    /// The call that is compared with the native dialect's.
    package let call: RefreshCall
    package let pairCount: Int
    /// The number of rotations in one round.
    package let rotationCount: Int
    package let connectionCount: Int

    package init(of call: RefreshCall = .aarokya, pairs: Int, rotationCount: Int, connectionCount: Int) {
        self.call = call
        pairCount = pairs
        self.rotationCount = rotationCount
        self.connectionCount = connectionCount
    }

    /// Has both dialects refresh in turn, and compares them pair by pair.
    package func run() async throws -> [Figure] {
        try await ScratchFolder.run("dialects") { folder in
            let policy = try RefreshPolicyFile(algorithm: .HS256, dialect: call, in: folder)
            let environment = ["LATCHKEY_POLICY": policy.path]
            return try await StackUnderLoad.run(name: "bench-dialects", environment: environment) { stack in
                let file = try SessionFile(of: stack.stack, policy: try policy.policy)
                let native = try await clients(.native, of: 0..<Self.sessionCount, in: file, stack)
                let other = try await clients(call, of: Self.sessionCount..<2 * Self.sessionCount, in: file, stack)
                let pairs = try await Pairs.run(pairCount) { _ in
                    try await other.round(rotations: rotationCount)
                } theirs: { _ in
                    try await native.round(rotations: rotationCount)
                }
                for side in [native, other] { await side.close() }
                return Self.figures(pairs, of: call)
            }
        }
    }

    /// Clients with a session of the dialect for each of the users.
    private func clients(
        _ call: RefreshCall, of users: Range<Int>, in file: SessionFile, _ stack: StackUnderLoad
    ) async throws -> RefreshingStack {
        let sessions =
            call.isByCookie
            ? try await RefreshingStack.signIn(users, by: call, connections: connectionCount, to: stack)
            : try await file.fill(users, dialect: call.dialect).map { RefreshableSession(token: $0) }
        return try await RefreshingStack(stack, sessions, connections: connectionCount, call: call)
    }
}

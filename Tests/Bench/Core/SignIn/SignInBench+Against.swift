extension SignInBench {
    package static let againstBounds = ["signin.rate": 1.08, "signin.cpu.total": 1.08]

    /// What a sign-in costs this build in parts of what it costs another: a stack of each, in turn.
    ///
    /// - Parameter count: pairs, over which the sign-ins of each build are spread.
    package func run(
        against other: Build, pairs count: Int, _ bounds: Comparison.Bounds = againstBounds
    ) async throws -> [Figure] {
        let round = SignInBench(
            count: max(self.count / count, 1), warmUpCount: 0, connectionCount: connectionCount)
        return try await StackUnderLoad.run(name: "bench-signin") { ours in
            try await StackUnderLoad.run(name: "bench-signin", build: other) { theirs in
                let pairs = try await Pairs.run(count) { turn in
                    try await round.ofBuild(ours, turn)
                } theirs: { turn in
                    try await round.ofBuild(theirs, turn)
                }
                return Comparison(pairs).figures(bounds)
            }
        }
    }

    package static let byEmailBounds = ["signin.rate": 1.25, "signin.cpu.total": 1.25]

    /// What a sign-in by mail costs in parts of one by phone: both on one stack, in turn.
    package func runByEmail(pairs count: Int) async throws -> [Figure] {
        let round = SignInBench(
            count: max(self.count / count, 1), warmUpCount: 0, connectionCount: connectionCount)
        return try await StackUnderLoad.run(name: "bench-signin") { stack in
            let pairs = try await Pairs.run(count) { turn in
                try await round.ofBuild(stack, turn, by: .email)
            } theirs: { turn in
                try await round.ofBuild(stack, turn)
            }
            return Comparison(pairs).figures(Self.byEmailBounds)
        }
    }

    /// Without what only tells how the machine was: the load, a signature, and others.
    private func ofBuild(
        _ stack: StackUnderLoad, _ turn: Int, by way: SignInWay = .phone
    ) async throws -> [Figure] {
        try await run(on: stack, by: way, firstIndex: turn * count)
            .filter { $0.unit != .cores && !$0.name.contains("signature") && !$0.name.hasSuffix("load-generator") }
    }
}

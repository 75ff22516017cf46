extension SignInBench {
    package static let againstBounds = ["signin.rate": 1.08, "signin.cpu.total": 1.08]

    /// Measures the cost of a sign-in of this build relative to another: a stack of each, in turn.
    ///
    /// - Parameter count: pairs, over which the sign-ins of each build are spread.
    package func run(
        against other: Build, pairs count: Int, _ bounds: Comparison.Bounds = againstBounds
    ) async throws -> [Figure] {
        try await StackUnderLoad.run(name: "bench-signin") { ours in
            try await StackUnderLoad.run(name: "bench-signin", build: other) { theirs in
                try await pairs(count, ours, theirs).figures(bounds)
            }
        }
    }

    package static let byEmailBounds = ["signin.rate": 1.25, "signin.cpu.total": 1.25]

    /// Measures the cost of a sign-in by mail relative to one by phone: both on one stack, in turn.
    package func runByEmail(pairs count: Int) async throws -> [Figure] {
        try await StackUnderLoad.run(name: "bench-signin") { stack in
            try await pairs(count, stack, by: .email, stack).figures(Self.byEmailBounds)
        }
    }

    /// Measures the cost of a sign-in on one stack relative to one by phone on another, or the same: both in turn.
    ///
    /// - Parameter count: pairs, over which the sign-ins of each are spread.
    func pairs(
        _ count: Int, _ ours: StackUnderLoad, by way: SignInWay = .phone, _ theirs: StackUnderLoad
    ) async throws -> Comparison {
        let round = SignInBench(
            count: max(self.count / count, 1), warmUpCount: 0, connectionCount: connectionCount)
        return Comparison(
            try await Pairs.run(count) { turn in
                try await round.ofBuild(ours, turn, by: way)
            } theirs: { turn in
                try await round.ofBuild(theirs, turn)
            })
    }

    /// Without what only tells how the machine was: the load, a signature, and others.
    private func ofBuild(
        _ stack: StackUnderLoad, _ turn: Int, by way: SignInWay = .phone
    ) async throws -> [Figure] {
        try await run(on: stack, by: way, firstIndex: turn * count)
            .filter { $0.unit != .cores && !$0.name.contains("signature") && !$0.name.hasSuffix("load-generator") }
    }
}

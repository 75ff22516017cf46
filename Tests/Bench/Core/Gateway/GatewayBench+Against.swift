extension GatewayBench {
    package static let againstBounds = ["gateway.cpu": 1.05, "gateway.rate": 1.05, "gateway.once.cpu": 1.05]

    /// Measures the cost of a request at this build's gateway relative to another's: each with its own stack, nginx and
    /// tokens, on the same core, in turn.
    package func run(against other: Build, _ bounds: Comparison.Bounds = Self.againstBounds) async throws -> [Figure] {
        try checkCores()
        return try await side(of: .own) { ours in
            try await side(of: other) { theirs in
                Comparison(try await Pairs.run(rounds, ours: ours, theirs: theirs)).figures(bounds)
            }
        }
    }

    /// Runs `body` with what does one round of a build.
    private func side<Value: Sendable>(
        of build: Build, _ body: ((Int) async throws -> [Figure]) async throws -> Value
    ) async throws -> Value {
        try await GatewayUnderLoad.run("bench-gateway", build: build, core: Self.edgeCore) { gateway in
            let load = TokenLoad(core: GatewayUnderLoad.loadCore, folder: gateway.folder)
            let edge = gateway.edge
            // First: signing takes longer than the gateway keeps an idle connection of ours.
            try await edge.check(gateway.tokens)
            try await prepare(gateway.tokens, load)
            return try await body { turn in try await round(turn, edge, load) }
        }
    }

    /// Tokens that come once have no round to warm up, which would use them up.
    private func round(_ turn: Int, _ edge: EdgeUnderTest, _ load: TokenLoad) async throws -> [Figure] {
        let inTurn = try await sample(edge, load, "turn", .inTurn)
        let figures = [
            Figure("gateway.cpu", inTurn.cpuMicroseconds, .microseconds),
            Figure("gateway.rate", inTurn.requestsPerSecond, .perSecond),
            Figure("gateway.p99", inTurn.p99Milliseconds, .milliseconds),
        ]
        guard onceCount > 0, turn > 0 else { return figures }
        let once = try await sample(edge, load, "once-\(turn)", .once)
        return figures + [Figure("gateway.once.cpu", once.cpuMicroseconds, .microseconds)]
    }
}

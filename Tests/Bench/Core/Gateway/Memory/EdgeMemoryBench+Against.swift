extension EdgeMemoryBench {
    /// This build's memory by its own bounds, and beside it what it holds more than another's; a fresh gateway in each round.
    ///
    /// Compares two builds, without the memory after many requests, which takes too long for pairs.
    package func run(
        against other: Build, pairs count: Int
    ) async throws -> [Figure] {
        let pairs = try await Pairs.run(count) { _ in
            try await round(of: .own)
        } theirs: { _ in
            try await round(of: other)
        }
        let own = (pairs.ours.first ?? []).compactMap { figure in
            Spread(pairs.ours.compactMap { $0.first { $0.name == figure.name }?.value })
                .map { Figure(figure.name, $0, figure.unit, bound: figure.bound) }
        }
        return own + Comparison(pairs).figures([:])
    }

    private func round(of build: Build) async throws -> [Figure] {
        try await GatewayUnderLoad.run("bench-edge-memory", build: build) { gateway in
            _ = try await warmUp(gateway)
            let figures = try await streams(gateway) + (try await rest(gateway))
            try gateway.checkAlive()
            return figures
        }
    }
}

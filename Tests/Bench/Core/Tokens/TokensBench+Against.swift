extension TokensBench {
    /// By the names of one algorithm's figures.
    package var againstBounds: Comparison.Bounds { ["\(name).few.rate": 1.08, "\(name).few.cpu.total": 1.08] }

    /// Measures the cost of a refresh of this build relative to another: a stack of each, in turn, each with few sessions
    /// that have signed in, since the files of two builds may differ.
    ///
    /// - Parameter bounds: nil for `againstBounds`.
    package func run(against other: Build, _ bounds: Comparison.Bounds? = nil) async throws -> [Figure] {
        try await side(of: .own) { ours in
            try await side(of: other) { theirs in
                let pairs = try await Pairs.run(rounds) { _ in
                    compared(try await ours.round(rotations: rotationCount))
                } theirs: { _ in
                    compared(try await theirs.round(rotations: rotationCount))
                }
                return Comparison(pairs).figures(bounds ?? againstBounds)
            }
        }
    }

    private func side(of build: Build, _ body: (RefreshingStack) async throws -> [Figure]) async throws -> [Figure] {
        try await ScratchFolder.run("tokens") { folder in
            try await RefreshingStack.run(
                of: build, sessions: Self.fewCount, connections: connectionCount,
                policy: try RefreshPolicyFile(algorithm: algorithm, of: build, in: folder), body)
        }
    }

    private func compared(_ round: RefreshRound) -> [Figure] {
        let name = "\(name).few"
        return [
            Figure("\(name).rate", round.perSecond, .perSecond),
            Figure("\(name).cpu.total", round.total(Self.charged), .microseconds),
            Figure("\(name).p50", round.percentile(50), .milliseconds),
            Figure("\(name).p99", round.percentile(99), .milliseconds),
        ] + Self.charged.map { Figure("\(name).cpu.\($0)", round.microseconds[$0] ?? 0, .microseconds) }
    }
}

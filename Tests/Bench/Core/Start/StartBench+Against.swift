extension StartBench {
    /// Megabytes that a process of ours may hold more at rest.
    package static let againstBounds = Dictionary(
        uniqueKeysWithValues: ["gateway", "otp", "token", "user", "inbox", "sample-api"].map {
            ("start.rss.\($0)", 2.0)
        })

    /// Start and memory at rest of this build's processes beside another's; a fresh stack in each round.
    package static func run(
        against other: Build, pairs count: Int, _ bounds: Comparison.Bounds = againstBounds
    ) async throws -> [Figure] {
        let pairs = try await Pairs.run(count) { _ in
            try await round(of: .own)
        } theirs: { _ in
            try await round(of: other)
        }
        return Comparison(pairs).figures(bounds)
    }

    private static func round(of build: Build) async throws -> [Figure] {
        try await StackUnderLoad.run(build: build) { try await StartBench(rounds: 1).run(on: $0) }
    }
}

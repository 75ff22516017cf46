import Testing

@testable import BenchCore

/// The short form of `deploy/bench imports`: what is counted has to be right, and on a busy machine nothing is timed.
@Suite struct ImportBenchTests {
    @Test(.timeLimit(.minutes(5))) func `users come in once, through a kill and a second run, while others sign in`()
        async throws
    {
        let bench = ImportBench(userCount: 3_000, signInsPerSecond: 20, connectionCount: 4, quietSeconds: 1)
        let figures = try await bench.run()
        let values = Dictionary(uniqueKeysWithValues: figures.map { ($0.name, $0.value) })
        #expect(values["imports.missing"] == 0 && values["imports.maps.differ"] == 0)
        #expect((values["imports.others.count"] ?? 0) > 10)
        #expect((values["imports.rate"] ?? 0) > 0)
    }
}

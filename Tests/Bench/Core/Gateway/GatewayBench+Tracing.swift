import TestSupport

extension GatewayBench {
    private static let oneIn = 100
    private static let tracedBounds = ["cpu": 1.05, "p99": 1.1, "memory": 8]

    /// Measures the cost of a request where one in a hundred is traced, to a collector that hangs, relative to one without traces: at
    /// two gateways, in turn.
    func runTraced() async throws -> [Figure] {
        try await LoopbackServer.runStalled { collector in
            try await prepared { folder in
                let policy = try BenchPolicy.write(in: folder) { try $0.change("oneIn: 0", to: "oneIn: \(Self.oneIn)") }
                return ["LATCHKEY_POLICY": policy, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(collector)"]
            } _: { traced, load in
                try await prepared { _ in
                    [:]
                } _: { plain, plainLoad in
                    try await Pairs.run(rounds) { _ in
                        try await weighed(traced, load)
                    } theirs: { _ in
                        try await weighed(plain, plainLoad)
                    }
                    .worse(Self.tracedBounds).under("gateway.traced.ratio")
                }
            }
        }
    }

    private func weighed(_ edge: EdgeUnderTest, _ load: TokenLoad) async throws -> [Figure] {
        try await sample(edge, load) + [Figure("memory", try ProcessMemory.resident(edge.process), .megabytes)]
    }
}

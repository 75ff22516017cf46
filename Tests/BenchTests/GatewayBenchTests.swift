import Testing

@testable import BenchCore

struct GatewayBenchTests {
    @Test func `what wrk's script prints is read, and a run with failures counts for nothing`() throws {
        let good = TokenLoad.parse("Running 1s\nRequests/sec: 1\nRESULT 20000 2000000 4500 0\n")
        #expect(good == TokenLoad.Outcome(requestCount: 20_000, seconds: 2, p99Milliseconds: 4.5, failureCount: 0))
        let bad = try #require(TokenLoad.parse("RESULT 20000 2000000 4500 1\n"))
        #expect(throws: UnexpectedReply.self) { try bad.withoutFailures() }
        #expect(TokenLoad.parse("RESULT 0 2000000 0 0\n") == nil && TokenLoad.parse("unable to connect\n") == nil)
    }

    @Test func `ratios are of medians, and a dear gateway misses its bounds`() {
        let figures = figures([
            "gateway": [(50, 15_000), (40, 15_000), (60, 15_000)],
            "haproxy": [(100, 10_000), (100, 10_000), (500, 10_000)], "envoy": [(70, 9000), (70, 9000), (70, 9000)],
        ])
        #expect(figures["cpu.to-haproxy"]?.value == 0.5 && figures["cpu.to-haproxy"]?.meetsBound == true)
        #expect(figures["rate.to-haproxy"]?.value == 1.5 && figures["cpu.gateway"]?.value == 50)
        #expect(figures["cpu.to-envoy"]?.meetsBound == false && figures["peers"]?.meetsBound == true)
    }

    @Test func `without Envoy a bound is missed`() {
        let figures = figures(["gateway": [(50, 15_000)], "haproxy": [(100, 10_000)]])
        #expect(figures.values.filter { !$0.meetsBound }.map(\.name) == ["peers"])
    }

    @Test func `a second of an edge's core is judged whatever pace the load sets`() {
        var rounds = EdgeRounds()
        for (edge, cpu) in [("gateway", 250.0), ("haproxy", 125), ("envoy", 200)] {
            rounds.add(HandshakeBench.figures(6000, seconds: 2, cpuSeconds: 6000 * cpu / 1_000_000), of: edge)
        }
        let bound = ["haproxy": Figure.Bound.atLeast(0.8)]
        let figures = Dictionary(
            uniqueKeysWithValues: rounds.figures(["rate": bound, "per-core": bound]).map { ($0.name, $0) })
        #expect(figures["rate.to-haproxy"]?.meetsBound == true && figures["busy.gateway"]?.value == 0.75)
        #expect(figures["per-core.to-haproxy"]?.value == 0.5 && figures["per-core.to-haproxy"]?.meetsBound == false)
    }

    private func figures(_ samples: [String: [(Double, Double)]]) -> [String: Figure] {
        var rounds = EdgeRounds()
        for (edge, samples) in samples {
            for (cpu, rate) in samples {
                rounds.add([Figure("cpu", cpu, .microseconds), Figure("rate", rate, .perSecond)], of: edge)
            }
        }
        return Dictionary(
            uniqueKeysWithValues: (rounds.figures(GatewayBench.bounds) + [rounds.peerCount]).map { ($0.name, $0) })
    }
}

/// The reading of h2load's output.
@Suite struct HTTP2BenchTests {
    private static func output(
        protocol name: String = "h2", outcomes: String = "0 failed, 0 errored, 0 timeout",
        codes: String = "0 3xx, 0 4xx, 0 5xx"
    ) -> String {
        """
        Application protocol: \(name)
        finished in 5.00s, 20.00 req/s, 1.00KB/s
        requests: 164 total, 164 started, 100 done, 100 succeeded, \(outcomes)
        status codes: 100 2xx, \(codes)
        """
    }

    @Test func `requests that failed, or were not over HTTP/2, are no measurement`() {
        #expect(HTTP2Bench.succeeded(in: Self.output()) == 100)
        #expect(HTTP2Bench.succeeded(in: Self.output(protocol: "http/1.1")) == nil)
        #expect(HTTP2Bench.succeeded(in: Self.output(outcomes: "1 failed, 0 errored, 0 timeout")) == nil)
        #expect(HTTP2Bench.succeeded(in: Self.output(codes: "0 3xx, 1 4xx, 0 5xx")) == nil)
        #expect(HTTP2Bench.succeeded(in: "") == nil)
    }
}

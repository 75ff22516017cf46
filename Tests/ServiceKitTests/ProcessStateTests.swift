import CoreMetrics
import Policies
import Testing

@testable import ServiceKit

/// The state that a process reports of itself.
@Suite struct ProcessStateTests {
    @Test func `series are read by their metric, with their labels`() {
        let registry = MetricsRegistry()
        registry.makeCounter(label: "a_total", dimensions: [("rule", "x"), ("route", "/y,=z")]).increment(by: 3)
        registry.makeRecorder(label: "b", dimensions: [], aggregate: false).record(1.5)
        registry.makeCounter(label: "c_total", dimensions: []).increment(by: 1)
        let values = registry.values(of: ["a_total", "b"]).sorted { $0.metric < $1.metric }
        #expect(values.map(\.metric) == ["a_total", "b"])
        #expect(values.first?.labels == ["rule": "x", "route": "/y,=z"] && values.first?.count == 3)
        #expect(values.last?.labels == [:] && values.last?.value == 1.5)
    }

    @Test func `a process tells the conditions that do not hold`() async {
        let state = ProcessState()
        #expect(await state.problems.isEmpty)
        state.use([ReadinessCheck("database", problem: { nil }), ReadinessCheck("redis", problem: { "no route" })])
        #expect(await state.problems == ["redis (no route)"])
    }

    @Test func `what the gateway reads again does not tell processes apart`() throws {
        func policy(_ more: String) throws -> Policy {
            try Policy.parse(
                """
                issuer: example.com
                audience: example-api
                profiles: { mobile: { algorithm: RS256 } }
                dialects: [{ name: native, profile: mobile }]
                countries: { allowed: all }
                \(more)
                """, file: "p.yaml")
        }
        let (plain, reloaded, other) = (
            try policy(""), try policy("edge: { bodyBytesMax: 4096 }"), try policy("admin: { api: true }")
        )
        #expect(plain.hash != reloaded.hash && plain.hashOfAllProcesses == reloaded.hashOfAllProcesses)
        #expect(plain.hashOfAllProcesses != other.hashOfAllProcesses)
    }
}

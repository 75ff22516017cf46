import ServiceKit
import TestSupport
import Testing

/// The metrics of a running stack, compared with the catalogue.
struct MetricsOfStack {
    let stack: LatchkeyStack
    /// The prefix of the metrics of the database that the stack does not use.
    let otherDatabase: String

    /// Requires that every process has the series that the catalogue promises from the start, and no metric that it does not list.
    func check() async throws {
        for process in Metric.Process.allCases {
            let text = try await stack.operations(process.rawValue).get("/metrics").text
            let samples = Self.samples(of: text)
            for metric in Metrics.all where metric.processes.contains(process) && isPromised(metric) {
                let count = samples[metric.name]?.count ?? 0
                let most = metric.kind == .histogram ? 50 * 20 : 50
                #expect(1...most ~= count, "\(process.rawValue): \(metric.name) has \(count) series")
            }
            let listed = Set(Metrics.all.filter { $0.processes.contains(process) }.map(\.name))
            #expect(Set(samples.keys).subtracting(listed) == [], "\(process.rawValue): not in the catalogue")
        }
    }

    private func isPromised(_ metric: Metric) -> Bool {
        metric.beginning == .start && metric.kind != .gauge && !metric.name.hasPrefix(otherDatabase)
    }

    /// The samples of a scrape by the names of their families.
    private static func samples(of text: String) -> [String: [Substring]] {
        var samples: [String: [Substring]] = [:]
        var family = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") { family = String(line.split(separator: " ")[2]) }
            if !line.hasPrefix("#") { samples[family, default: []].append(line) }
        }
        return samples
    }
}

extension Live {
    /// A counter that appears with its first event hides that event from `increase()`.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct StartingCountersTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test(.onFiles) func `every process has its counters at 0 before their first events`() async throws {
            try await MetricsOfStack(stack: stack, otherDatabase: "postgresql_").check()
            let token = try await stack.operations("token").get("/metrics").text
            for series in [
                #"auth_signins_total{method="sms"} 0"#, #"auth_signins_total{method="review"} 0"#,
                #"auth_sessions_revoked_total{reason="reuse"} 0"#, #"auth_internal_refusals_total{reason="ahead"} 0"#,
                #"sqlite_sweep_failures_total{kind="sessions"} 0"#,
            ] {
                #expect(token.contains("\n\(series)\n"), "\(series)")
            }
            let gateway = try await stack.operations("gateway").get("/metrics").text
            // The gateway of a stack that starts may have met closed ports, but no certificates.
            #expect(gateway.contains(#"upstream_failures_total{reason="untrusted_certificate",service="otp"} 0"#))
        }
    }
}

import Foundation
import ServiceKit
import Testing

/// Every metric has a `# HELP`, and deploy/docs/reference/metrics.md lists them all.
///
/// `LATCHKEY_WRITE_GOLDEN=1 swift test --filter MetricsPageTests` writes the page again.
@Suite struct MetricsPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let page: String = {
        let rows = Metrics.all.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            let processes = metric.processes == Metric.Process.allCases ? ["all"] : metric.processes.map(\.rawValue)
            let columns = [
                "`\(metric.name)`", metric.kind.rawValue, labels, processes.joined(separator: ", "), metric.help,
            ]
            return "| \(columns.joined(separator: " | ")) |"
        }
        return """
            # Metrics

            For operators who collect metrics or write alarms. Each process offers its metrics at `/metrics` of its operations port
            (`LATCHKEY_OPS_LISTEN`), in Prometheus' text format:

            ```bash shown
            curl -s http://127.0.0.1:9090/metrics
            ```

            [monitoring.md](../run/monitoring.md) says which of them to watch. Counters start at 0 with their process, so that the first
            event is a rise. The counters with the labels `country`, `code`, `error_code`, `route`, `version`, `endpoint`, `key`, `act` or
            `scope` and the durations of requests appear with their first event, since the values of these labels are not known
            before it: a rule about them has to count a new series too, as `deploy/observability/alerts.yaml` does. Metrics of what
            the policy does not switch on are missing, and so are those of the other database.

            This page is generated from `Shared/ServiceKit/Observability/Metrics.swift` by
            `LATCHKEY_WRITE_GOLDEN=1 swift test --filter MetricsPageTests`.

            | metric | type | labels | processes | meaning |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }()

    @Test func `the page lists every metric`() throws {
        let file = Self.root.appending(path: "deploy/docs/reference/metrics.md")
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1" {
            try Self.page.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.page)
    }

    @Test func `the list is sorted, and no metric is in it twice`() {
        let names = Metrics.all.map(\.name)
        #expect(names == Set(names).sorted())
    }

    /// A metric where a source makes it; its name may come from a variable.
    private static var made: Regex<(Substring, Substring?)> {
        #/\b(?:Counter|Gauge|Timer)\(\s*label:\s*(?:"([a-z_]+)"|[a-z])/#
    }
    /// Any text that looks like the name of a metric of ours.
    private static var named: Regex<(Substring, Substring)> {
        #/"((?:auth|audit|decision|deletion|http_server|log_lines|outbox|process|redis|sqlite|tls|upstream)[a-z_]*_(?:total|bytes|seconds))"/#
    }

    @Test func `what the sources count is in the list, and what is in the list is counted`() throws {
        var found: Set<String> = []
        var sources = ""
        for folder in ["Services", "Shared"] {
            let base = Self.root.appending(path: folder).path
            for path in try FileManager.default.subpathsOfDirectory(atPath: base)
            where path.hasSuffix(".swift") && !path.hasPrefix("LatchkeyAuth") && !path.hasSuffix("/Metrics.swift") {
                let source = try String(contentsOfFile: "\(base)/\(path)", encoding: .utf8)
                sources += source
                found.formUnion(source.matches(of: Self.made).compactMap { $0.1.map(String.init) })
                found.formUnion(source.matches(of: Self.named).map { String($0.1) })
            }
        }
        let listed = Set(Metrics.all.map(\.name))
        #expect(found.subtracting(listed) == [], "without a HELP")
        #expect(listed.filter { !sources.contains("\"\($0)\"") } == [], "in no source")
        #expect(found.count > 60)
    }
}

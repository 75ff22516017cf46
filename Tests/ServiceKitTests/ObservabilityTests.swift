import CoreMetrics
import FoundationEssentials
import Glibc
import Logging
import Synchronization
import Testing

@testable import ServiceKit

@Suite struct ObservabilityTests {
    @Test func `metrics are written in the Prometheus text format`() {
        let registry = MetricsRegistry()
        let counter = registry.makeCounter(label: "auth_signins_total", dimensions: [("method", "s\"m\\s\n")])
        counter.increment(by: 2)
        registry.makeCounter(label: "auth_signins_total", dimensions: [("method", "apple")]).increment(by: 1)
        registry.makeTimer(label: "http_server_request_duration_seconds", dimensions: []).recordNanoseconds(3_000_000)
        let text = registry.prometheusText()
        #expect(text.contains("# TYPE auth_signins_total counter\nauth_signins_total{method=\"apple\"} 1\n"))
        #expect(text.contains(#"auth_signins_total{method="s\"m\\s\n"} 2"#))
        #expect(text.contains("http_server_request_duration_seconds_bucket{le=\"0.0025\"} 0\n"))
        #expect(text.contains("http_server_request_duration_seconds_bucket{le=\"0.005\"} 1\n"))
        #expect(text.contains("http_server_request_duration_seconds_bucket{le=\"+Inf\"} 1\n"))
        #expect(text.contains("http_server_request_duration_seconds_sum 0.003\n"))
        #expect(text.components(separatedBy: "# TYPE auth_signins_total").count == 2)
    }

    @Test func `one series is shared by all who name it`() {
        let registry = MetricsRegistry()
        for _ in 0..<10 { registry.makeCounter(label: "c", dimensions: [("b", "1"), ("a", "2")]).increment(by: 1) }
        #expect(registry.prometheusText().contains("c{a=\"2\",b=\"1\"} 10\n"))
    }

    @Test func `a gauge whose matter is gone is shown no more, and what counts stays`() {
        let registry = MetricsRegistry()
        let (gone, stays) = (
            Gauge(label: "g", dimensions: [("name", "a")], factory: registry),
            Gauge(label: "g", dimensions: [("name", "b")], factory: registry)
        )
        gone.record(1)
        stays.record(2)
        gone.destroy()
        let counter = Counter(label: "c", dimensions: [], factory: registry)
        counter.increment()
        counter.destroy()
        let recorder = Recorder(label: "h", dimensions: [], aggregate: true, factory: registry)
        recorder.record(1)
        recorder.destroy()
        let text = registry.prometheusText()
        #expect(!text.contains("g{name=\"a\"}") && text.contains("g{name=\"b\"} 2\n"))
        #expect(text.contains("c 1\n") && text.contains("h_count 1\n"))
        Gauge(label: "g", dimensions: [("name", "a")], factory: registry).record(3)
        #expect(registry.prometheusText().contains("g{name=\"a\"} 3\n"))
    }

    @Test func `series at hand are asked for once, and of too many keys none is forgotten or kept`() {
        let registry = MetricsRegistry()
        let asked = Atomic<Int>(0)
        let series = SeriesMemory<Int, Counter> { key in
            asked.add(1, ordering: .relaxed)
            return Counter(label: "c", dimensions: [("key", "\(key)")], factory: registry)
        }
        for _ in 0..<3 {
            for key in 0...SeriesMemory<Int, Counter>.countMax { series[key].increment() }
        }
        #expect(asked.load(ordering: .relaxed) == SeriesMemory<Int, Counter>.countMax + 3)
        let text = registry.prometheusText()
        #expect(text.contains("c{key=\"0\"} 3\n"))
        #expect(text.contains("c{key=\"\(SeriesMemory<Int, Counter>.countMax)\"} 3\n"))
    }

    /// Returns the text that `body` makes the sink write.
    private static func written(_ body: (LogSink) -> Void) -> String {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let sink = LogSink(descriptor: ends[1])
        body(sink)
        sink.flush()
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(ends[0], &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func `a log line is one JSON object whatever it is told`() throws {
        let line = Self.written { sink in
            var logger = Logger(label: "test") { _ in JSONLogHandler(process: "otp", level: .info, sink: sink) }
            logger[metadataKey: "path"] = "/a\r\n{\"level\":\"forged\"}\u{1B}[2J\u{2028}\""
            logger.info("otp.verified")
            logger.debug("not.logged")
        }
        #expect(line.filter { $0.isNewline }.count == 1)
        let object = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(object["message"] == "otp.verified")
        #expect(object["process"] == "otp")
        #expect(object["path"] == "/a\r\n{\"level\":\"forged\"}\u{1B}[2J\u{2028}\"")
    }

    @Test func `numbers of a log line are numbers, and texts of digits stay texts`() {
        let line = Self.written { sink in
            let logger = Logger(label: "test") { _ in JSONLogHandler(process: "otp", level: .info, sink: sink) }
            logger.info(
                "counted",
                metadata: [
                    "count": .stringConvertible(3), "bytes": .stringConvertible(UInt64.max),
                    "share": .stringConvertible(0.5),
                    "none": .stringConvertible(Double.nan), "id": "007", "flag": .stringConvertible(true),
                ])
        }
        for part in [
            #""count":3,"#, #""bytes":18446744073709551615,"#, #""share":0.5"#, #""none":"nan""#, #""id":"007""#,
            #""flag":"true""#,
        ] { #expect(line.contains(part), "\(part) in \(line)") }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_795_292_994_007, "2026-11-21T20:29:54.007Z"),
        (1_795_292_994_999, "2026-11-21T20:29:54.999Z"), (1_795_292_995_000, "2026-11-21T20:29:55.000Z"),
    ])
    func `the time of a line is UTC to the millisecond`(milliseconds: Int64, text: String) {
        #expect(LogClock.text(milliseconds - milliseconds % 1000) == text.prefix(20) + "000Z")
        #expect(LogClock.text(milliseconds) == text)
    }

    @Test func `a log that nobody reads drops lines and goes on`() {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let sink = LogSink(descriptor: ends[1])
        let line = String(repeating: "x", count: 10_000) + "\n"
        for _ in 0..<1000 { sink.append(Array(line.utf8)) }
        #expect(sink.droppedLines > 0)
        // Take what still waits, so that the writing thread is not left behind.
        var rest = [UInt8](repeating: 0, count: 1 << 16)
        #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        while sink.isWriting {
            if unsafe read(ends[0], &rest, rest.count) <= 0 { usleep(1000) }
        }
        for end in ends { close(end) }
    }
}

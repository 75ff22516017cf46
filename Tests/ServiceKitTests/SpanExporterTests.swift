import AsyncHTTPClient
import Configuration
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServiceKit
import ServiceLifecycle
import Spans
import Synchronization
import Testing
import Tracing

@testable import ServiceCalls

/// The export of spans to a collector over real connections.
@Suite(.timeLimit(.minutes(2))) struct SpanExporterTests {
    /// A collector that answers each export with the next of its statuses, and with the last one from then on.
    private final class Collector: Sendable {
        private let state: Mutex<(statuses: [Int], bodies: [String])>
        /// How long it takes for an answer.
        private let pause: Duration

        init(_ statuses: [Int] = [200], pause: Duration = .zero) {
            state = Mutex((statuses, []))
            self.pause = pause
        }

        var bodies: [String] { state.withLock(\.bodies) }

        var router: Router<BasicRequestContext> {
            let router = Router()
            router.post("/v1/traces") { request, _ in
                let body = try await request.body.collect(upTo: 1 << 20)
                let isJSON = request.headers[.contentType] == "application/json"
                let status = self.state.withLock { state in
                    state.bodies.append(isJSON ? String(buffer: body) : "")
                    return state.statuses.count > 1 ? state.statuses.removeFirst() : state.statuses[0]
                }
                try await Task.sleep(for: self.pause)
                return Response(
                    status: .init(code: status),
                    headers: status == 429 ? [.retryAfter: "0"] : [.location: "/v1/traces"],
                    body: .init(byteBuffer: ByteBuffer(string: "{}")))
            }
            return router
        }
    }

    private static func settings(_ variables: [String: String]) throws -> ProcessSettings {
        try ProcessSettings(
            name: "otp", defaultPort: 8081,
            reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables)))
    }

    /// Ends a span of a sampled trace.
    private static func endSpan(_ name: String, in queue: SpanQueue) {
        var context = InstrumentationContext.topLevel
        context.spanIdentity = SpanIdentity(newTrace: 1, 2)
        SpanTracer(queue).startSpan(name, context: context).end()
    }

    /// Runs an exporter to a collector during `body`, stops it as a process does, and returns how long that took.
    @discardableResult private func export(
        to collector: Collector, _ body: @Sendable (SpanQueue) async throws -> Void
    ) async throws -> Duration {
        let queue = SpanQueue()
        let took = Mutex(Duration.zero)
        try await Application(router: collector.router).test(.live) { server in
            let url = "http://127.0.0.1:\(try #require(server.port))"
            let target = try #require(try SpanCollector(Self.settings(["OTEL_EXPORTER_OTLP_ENDPOINT": url])))
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let exporter = SpanExporter(
                queue, to: target, tls: nil, client: makeHTTPClient(connectionsMax: 1), logger: logger)
            let group = ServiceGroup(services: [exporter], logger: logger)
            async let running: Void = group.run()
            do { try await body(queue) } catch {
                await group.triggerGracefulShutdown()
                try await running
                throw error
            }
            let start = ContinuousClock.now
            await group.triggerGracefulShutdown()
            try await running
            took.withLock { $0 = .now - start }
        }
        #expect(queue.count == 0)
        return took.withLock(\.self)
    }

    private func until(_ count: Int, _ collector: Collector) async throws {
        while collector.bodies.count < count { try await Task.sleep(for: .milliseconds(10)) }
    }

    // A body that is being sent when the process stops is sent again, so it may arrive twice.

    @Test func `spans arrive together`() async throws {
        let collector = Collector()
        try await export(to: collector) { queue in
            for name in ["first", "second"] { Self.endSpan(name, in: queue) }
            try await until(1, collector)
        }
        #expect(Set(collector.bodies).count == 1)
        for part in [#""first""#, #""second""#, #""latchkey-otp""#] {
            #expect(collector.bodies[0].contains(part), "\(part)")
        }
    }

    @Test(arguments: [429, 502, 503, 504]) func `a collector that is busy gets them again`(status: Int) async throws {
        let collector = Collector([status, 200])
        try await export(to: collector) { queue in
            Self.endSpan("again", in: queue)
            try await until(2, collector)
        }
        #expect(collector.bodies.count >= 2 && Set(collector.bodies).count == 1)
    }

    @Test(arguments: [307, 400, 401, 404, 500]) func `what a collector refuses is not sent again`(
        status: Int
    ) async throws {
        let collector = Collector([status])
        try await export(to: collector) { queue in
            Self.endSpan("refused", in: queue)
            try await until(1, collector)
            Self.endSpan("next", in: queue)
            try await until(2, collector)
        }
        #expect(collector.bodies.dropFirst().allSatisfy { !$0.contains("refused") })
    }

    @Test func `spans that wait when the process stops are sent`() async throws {
        let collector = Collector()
        try await export(to: collector) { queue in
            for number in 0..<SpanQueue.batchMax + 1 { Self.endSpan("\(number)", in: queue) }
        }
        let body = collector.bodies.joined()
        #expect(body.contains(#""name":"0""#) && body.contains(#""name":"\#(SpanQueue.batchMax)""#))
    }

    @Test func `a collector that hangs delays the stop by about a second`() async throws {
        let collector = Collector(pause: .seconds(30))
        let took = try await export(to: collector) { queue in
            Self.endSpan("hanging", in: queue)
            try await until(1, collector)
        }
        #expect(took < .seconds(25), "\(took)")
    }

    // MARK: - Calls

    @Test(arguments: [false, true]) func `a server gets the trace only if its request says so`(
        passesTrace: Bool
    ) async throws {
        CurrentTrace.beginExport()
        let field = try #require(HTTPField.Name("traceparent"))
        let router = Router()
        router.get("/") { request, _ in Response(status: request.headers[field] == nil ? .noContent : .ok) }
        try await Application(router: router).test(.live) { server in
            let url = "http://127.0.0.1:\(try #require(server.port))/"
            var request = ProviderRequest(.get, url: url, headers: [:], body: [])
            request.passesTrace = passesTrace
            var context = InstrumentationContext.topLevel
            context.spanIdentity = SpanIdentity(newTrace: 1, 2)
            let status = try await withTracer(SpanTracer(SpanQueue())) {
                try await InstrumentationContext.$current.withValue(context) { [request] in
                    try await withProviderExchange(answerBytesMax: 1024, readSeconds: 5, authorities: nil) {
                        try await $0.send(request, within: .seconds(5)).status
                    }
                }
            }
            #expect(status == (passesTrace ? 200 : 204))
        }
    }

    // MARK: - Settings

    @Test func `the variables name the collector`() throws {
        #expect(try SpanCollector(Self.settings([:])) == nil)
        let base = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318/"]
        #expect(try SpanCollector(Self.settings(base))?.url == "http://collector:4318/v1/traces")
        #expect(try SpanCollector(Self.settings(base.merging(["OTEL_SDK_DISABLED": "true"]) { $1 })) == nil)
        let whole = try #require(
            try SpanCollector(
                Self.settings([
                    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://example.com/a?b=1",
                    "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318",
                    "OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Basic%20YTpi+w==, x-team=one&two",
                    "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=uat,service.name=other",
                    "OTEL_SERVICE_NAME": "codes",
                ])))
        #expect(whole.url == "https://example.com/a?b=1")
        #expect(whole.headers.value.map(\.name) == ["Authorization", "x-team"])
        #expect(whole.headers.value.map(\.value) == ["Basic YTpi+w==", "one&two"])
        #expect(whole.resource["deployment.environment.name"] == "uat" && whole.resource["service.name"] == "codes")
    }

    @Test(
        arguments: [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://collector"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"), ("OTEL_SDK_DISABLED", "yes"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "s3cret key=1"), ("OTEL_EXPORTER_OTLP_HEADERS", "key=s3cret%0d%0aX: 1"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "key=s3cret%4"),
        ])
    func `a wrong value stops the start, and headers are not shown`(variable: String, value: String) throws {
        let variables = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"].merging([variable: value]) { $1 }
        let error = #expect(throws: SettingsError.self) { _ = try SpanCollector(Self.settings(variables)) }
        #expect(error?.lines.count == 1 && error?.lines.first?.hasPrefix(variable) == true)
        #expect(error?.lines.first?.contains("s3cret") == false)
    }
}

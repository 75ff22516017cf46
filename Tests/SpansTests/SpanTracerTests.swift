import Testing
import Tracing

@testable import Spans

/// The tracer with its queue, without a collector.
@Suite struct SpanTracerTests {
    private struct Failure: Error {}

    private struct Fields: Extractor, Injector {
        func extract(key: String, from fields: [String: String]) -> String? { fields[key] }
        func inject(_ value: String, forKey key: String, into fields: inout [String: String]) { fields[key] = value }
    }

    private let queue = SpanQueue()

    init() { CurrentTrace.beginExport() }

    private var tracer: SpanTracer { SpanTracer(queue) }

    /// A context in which spans are recorded.
    private var sampled: InstrumentationContext {
        var context = InstrumentationContext.topLevel
        context.spanIdentity = SpanIdentity(newTrace: 1, 2)
        return context
    }

    @Test func `nothing is recorded without a sampled trace`() {
        var unsampled = InstrumentationContext.topLevel
        unsampled.spanIdentity = SpanIdentity(
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
        for context in [.topLevel, unsampled] {
            let span = tracer.startSpan("none", context: context)
            span.attributes[.method] = "GET"
            #expect(!span.isRecording && span.attributes.isEmpty)
            #expect(span.context.spanIdentity == context.spanIdentity)
            span.end()
        }
        #expect(queue.count == 0)
    }

    @Test func `a trace continues in the process that gets its field`() throws {
        let first = tracer.startSpan("first", context: sampled, ofKind: .client)
        var fields: [String: String] = [:]
        tracer.inject(first.context, into: &fields, using: Fields())
        #expect(Set(fields.keys) == ["traceparent"])
        var context = InstrumentationContext.topLevel
        tracer.extract(fields, into: &context, using: Fields())
        tracer.startSpan("second", context: context, ofKind: .server).end()
        first.end()
        first.end()
        let spans = try #require(queue.takeBatch())
        #expect(spans.map(\.name) == ["second", "first"])
        #expect(spans[0].parentID == spans[1].identity.spanID && spans[1].parentID == 0)
        #expect(Set(spans.map(\.identity.traceID)) == ["00000000000000010000000000000002"])
        #expect(queue.takeBatch() == nil)
    }

    @Test func `only listed attributes are kept, and no event, link or text of an error`() throws {
        let span = tracer.startSpan("call", context: sampled)
        span.updateAttributes { attributes in
            attributes["url.path"] = "/users/42"
            attributes["url.query"] = "phone=%2B15550100"
            attributes["user_agent.original"] = "app"
            attributes["http.route"] = "/users/{id}"
            attributes["http.request.method"] = "GET"
        }
        span.attributes["http.response.status_code"] = 204
        span.attributes["db.operation.name"] = "line\u{1}feed"
        span.attributes["peer.service"] = String(repeating: "a", count: 129)
        span.recordError(Failure(), attributes: ["code": "123456"])
        span.addEvent(SpanEvent(name: "+15550100"))
        span.end()
        let spans = try #require(queue.takeBatch())
        let document = String(decoding: try SpanDocument(spans, resource: [:]).json(), as: UTF8.self)
        #expect(document.contains(#""attributes":[{"key":"http.request.method","value":{"stringValue":"GET"}},"#))
        #expect(document.contains(#"{"key":"http.response.status_code","value":{"intValue":"204"}},"#))
        #expect(document.contains(#"{"key":"http.route","value":{"stringValue":"/users/{id}"}}]"#))
        #expect(document.contains(#""status":{"code":2}"#))
        for absent in ["users/42", "5550100", "user_agent", "123456", "feed", "aaaa", "events"] {
            #expect(!document.contains(absent), "\(absent)")
        }
    }

    @Test(arguments: [("api.twilio.com", true), ("127.0.0.1", false), ("fe80::1", false), ("localhost", true)])
    func `a server is named by its host, never by an IP address`(host: String, isKept: Bool) {
        let span = tracer.startSpan("call", context: sampled)
        span.attributes[.server] = host
        #expect((span.attributes.get("server.address") == .string(host)) == isKept)
    }

    @Test func `a full queue keeps what it has, and gives it in batches`() {
        for number in 0..<SpanQueue.countMax + 10 { tracer.startSpan("\(number)", context: sampled).end() }
        #expect(queue.count == SpanQueue.countMax)
        var batches: [[FinishedSpan]] = []
        while let batch = queue.takeBatch() { batches.append(batch) }
        #expect(batches.allSatisfy { $0.count == SpanQueue.batchMax })
        #expect(batches.joined().map(\.name) == (0..<SpanQueue.countMax).map { "\($0)" })
        queue.putBack(batches[1])
        tracer.startSpan("later", context: sampled).end()
        #expect(queue.takeBatch()?.first?.name == "512" && queue.takeBatch()?.map(\.name) == ["later"])
    }

    // MARK: - Calls

    @Test func `a call in a trace has a span, and its fields`() async throws {
        await withTracer(tracer) {
            let value = await InstrumentationContext.$current.withValue(sampled) {
                await withClientSpan("call") { span in
                    #expect(span != nil && TraceFields.current.lines.map(\.name) == ["traceparent"])
                    return 7
                }
            }
            #expect(value == 7)
            await #expect(throws: Failure.self) {
                try await InstrumentationContext.$current.withValue(sampled) {
                    try await withClientSpan("failed") { (_) throws(Failure) in throw Failure() }
                }
            }
        }
        let spans = try #require(queue.takeBatch())
        #expect(spans.map(\.name) == ["call", "failed"] && spans.map(\.hasFailed) == [false, true])
    }

    @Test func `a call outside of a trace has none`() async {
        await withTracer(tracer) {
            await withClientSpan("call") { span in
                #expect(span == nil && TraceFields.current.lines.isEmpty)
            }
        }
        #expect(queue.count == 0)
    }
}

import Spans
import Tracing

/// The span of a traced request, from its head to the end of its response.
///
/// The edge alone decides which requests are traced. A valid `traceparent` of the client places the span in the client's trace, but
/// its flag decides nothing (integration guide 7.3).
final class EdgeSpan: Sendable {
    private let span: any Span

    /// Starts the span of one in `oneIn` requests, or returns `nil` for the others. The random bits of the request's id decide.
    init?(_ head: RequestHead, _ id: RequestID, oneIn: Int64) {
        guard id.sample.isMultiple(of: UInt64(max(1, oneIn))) else { return nil }
        var context = InstrumentationContext.topLevel
        context.spanIdentity = TraceContext.identity(in: head.block) ?? id.newTrace
        span = InstrumentationSystem.tracer.startSpan(head.method.rawValue, context: context, ofKind: .server)
        span.attributes[.method] = head.method.rawValue
        span.attributes[.protocolVersion] = head.version
    }

    /// Returns the span of the request to an upstream, which the caller ends.
    func upstream(_ name: String) -> any Span {
        let span: any Span = InstrumentationSystem.tracer.startSpan(
            "upstream \(name)", context: span.context, ofKind: .client)
        span.attributes[.peer] = name
        return span
    }

    /// Ends the span with the request's outcome. Health checks are not exported.
    func end(_ request: ServedRequest) {
        guard request.route != .health else { return }
        let finished = request.finished
        span.operationName = "\(finished.head.method.rawValue) \(finished.route.text)"
        span.attributes[.route] = finished.route.text
        span.attributes[.status] = Int64(finished.status)
        span.end()
    }

    /// Runs `body` so that the tasks that it starts and the lines that it logs belong to the request's trace.
    ///
    /// A request that is not traced has none in any trace. It may begin in a task of the one before it on its connection, and
    /// would else be part of that one's trace.
    static func within<Value>(_ span: EdgeSpan?, _ body: () -> Value) -> Value {
        guard span != nil || CurrentTrace.context != nil else { return body() }
        return InstrumentationContext.$current.withValue(span?.span.context, operation: body)
    }
}

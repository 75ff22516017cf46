package import Tracing

/// Runs a call to another process in a span, if the current task belongs to a trace.
///
/// - Parameters:
///   - name: what is called; never a value of a client.
///   - body: gets the span, or `nil` if there is no trace.
package func withClientSpan<Value, Failure: Error>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: ((any Span)?) async throws(Failure) -> Value
) async throws(Failure) -> Value {
    guard let context = InstrumentationContext.current, !context.isEmpty else { return try await body(nil) }
    let span: any Span = InstrumentationSystem.tracer.startSpan(name(), context: context, ofKind: .client)
    defer { span.end() }
    let result: Result<Value, Failure> = await InstrumentationContext.$current.withValue(
        span.context,
        operation: {
            do throws(Failure) { return .success(try await body(span)) } catch { return .failure(error) }
        }, isolation: isolation)
    if case .failure = result { span.setStatus(.init(code: .error)) }
    return try result.get()
}

/// The fields that carry a trace to the next process.
package struct TraceFields: Sendable {
    package private(set) var lines: [(name: String, value: String)] = []

    /// The fields for calls of the current task; none if it belongs to no trace.
    package static var current: TraceFields { TraceFields(InstrumentationContext.current) }

    /// Returns the fields of a span's calls.
    package init(_ context: InstrumentationContext?) {
        guard let context else { return }
        InstrumentationSystem.instrument.inject(context, into: &self, using: Writer())
    }

    private struct Writer: Injector {
        func inject(_ value: String, forKey key: String, into fields: inout TraceFields) {
            fields.lines.append((key, value))
        }
    }
}

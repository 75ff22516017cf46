import Synchronization
package import Tracing

/// The trace of the current task.
package enum CurrentTrace {
    private static let exports = Atomic(false)

    /// Whether the process exports spans.
    package static var isExported: Bool { exports.load(ordering: .relaxed) }

    /// The task's context; `nil` if it belongs to no trace. A process that exports no spans does not look for it.
    package static var context: InstrumentationContext? {
        guard isExported, let context = InstrumentationContext.current, !context.isEmpty else { return nil }
        return context
    }

    /// Called before the first request of a process that exports its spans.
    package static func beginExport() { exports.store(true, ordering: .relaxed) }
}

/// Runs a call to another process in a span, if the current task belongs to a trace.
///
/// - Parameters:
///   - name: what is called; never a value of a client.
///   - body: gets the span, or `nil` if there is no trace.
package func withClientSpan<Value, Failure: Error>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: ((any Span)?) async throws(Failure) -> Value
) async throws(Failure) -> Value {
    guard let context = CurrentTrace.context else { return try await body(nil) }
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
    package static var current: TraceFields { TraceFields(CurrentTrace.context) }

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

package import Tracing

/// Records the spans of sampled traces and queues them for export. The field `traceparent` carries the trace between processes.
///
/// A context without a sampled trace makes spans that record nothing.
package struct SpanTracer: Tracer {
    package typealias Span = RecordedSpan

    private let queue: SpanQueue

    package init(_ queue: SpanQueue) { self.queue = queue }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> RecordedSpan {
        var context = context()
        guard let parent = context.spanIdentity, parent.isSampled else { return RecordedSpan(unrecorded: context) }
        let identity = parent.child()
        context.spanIdentity = identity
        return RecordedSpan(
            FinishedSpan(
                identity: identity, parentID: parent.spanID, name: operationName, kind: kind,
                start: instant().nanosecondsSinceEpoch),
            context: context, queue: queue)
    }

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: SpanIdentity.field, from: carrier) else { return }
        context.spanIdentity = SpanIdentity(traceparent: text)
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let identity = context.spanIdentity else { return }
        injector.inject(identity.traceparent, forKey: SpanIdentity.field, into: &carrier)
    }

    /// Does nothing: spans are exported when the process stops.
    package func forceFlush() {}
}

import Synchronization
package import Tracing

/// A span of a sampled trace, which is queued for export when it ends; or one of any other context, which records nothing.
///
/// It keeps its name, its times, whether it failed, and the attributes of a list. Events, links and the texts of errors may
/// contain data of users, and are dropped.
package final class RecordedSpan: Span {
    package let context: InstrumentationContext
    /// The span until it ends; `nil` afterwards, or if nothing is recorded.
    private let open: Mutex<FinishedSpan?>
    private let queue: SpanQueue?

    init(_ span: FinishedSpan, context: InstrumentationContext, queue: SpanQueue) {
        (self.context, self.queue) = (context, queue)
        open = Mutex(span)
    }

    init(unrecorded context: InstrumentationContext) {
        (self.context, queue) = (context, nil)
        open = Mutex(nil)
    }

    package var isRecording: Bool { open.withLock { $0 != nil } }

    package var operationName: String {
        get { open.withLock { $0?.name ?? "" } }
        set { open.withLock { $0?.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { open.withLock { $0?.attributes ?? [:] } }
        set { open.withLock { $0?.attributes = newValue.listed } }
    }

    package func setStatus(_ status: SpanStatus) { open.withLock { $0?.hasFailed = status.code == .error } }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        open.withLock { $0?.hasFailed = true }
    }

    package func addEvent(_ event: SpanEvent) {}

    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        let span = open.withLock { open in
            defer { open = nil }
            return open
        }
        guard var span else { return }
        span.end = end
        queue?.append(span)
    }
}

/// The content of a span, as it is exported.
package struct FinishedSpan: Sendable {
    let identity: SpanIdentity
    /// The id of the span above; 0 if it is the first one of the trace.
    let parentID: UInt64
    var name: String
    let kind: SpanKind
    /// Unix times in nanoseconds.
    let start: UInt64
    var end: UInt64 = 0
    var attributes: SpanAttributes = [:]
    var hasFailed = false

    init(identity: SpanIdentity, parentID: UInt64, name: String, kind: SpanKind, start: UInt64) {
        (self.identity, self.parentID, self.name, self.kind) = (identity, parentID, name, kind)
        self.start = start
    }
}

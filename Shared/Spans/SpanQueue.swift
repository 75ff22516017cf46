import CoreMetrics
import Synchronization

/// The spans that wait for export. When it is full, new ones are dropped and counted.
package final class SpanQueue: Sendable {
    /// The number of waiting spans. One takes at most about 2 kB.
    package static let countMax = 2_048
    /// The number of spans that are sent together.
    package static let batchMax = 512

    /// Why spans are dropped.
    package enum Drop: String, CaseIterable, Sendable {
        case queueFull = "queue_full"
        /// The collector refused them, or was away for too long.
        case collector
    }

    private static let dropped = "trace_spans_dropped_total"
    private static let exported = "trace_spans_exported_total"

    private let waiting = Mutex<[FinishedSpan]>([])
    private let drops: [Drop: Counter]
    private let exports = Counter(label: SpanQueue.exported)

    package init() {
        let pairs = Drop.allCases.map { ($0, Counter(label: Self.dropped, dimensions: [("reason", $0.rawValue)])) }
        drops = Dictionary(uniqueKeysWithValues: pairs)
    }

    package var count: Int { waiting.withLock(\.count) }

    func append(_ span: FinishedSpan) {
        let isFull = waiting.withLock { waiting in
            guard waiting.count < Self.countMax else { return true }
            waiting.append(span)
            return false
        }
        if isFull { noteDropped(1, .queueFull) }
    }

    /// Removes the oldest spans, at most as many as are sent together, or returns `nil` if none waits.
    package func takeBatch() -> [FinishedSpan]? {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return nil }
            defer { waiting.removeFirst(min(Self.batchMax, waiting.count)) }
            return Array(waiting.prefix(Self.batchMax))
        }
    }

    /// Returns spans that were removed, so that they are the oldest again.
    package func putBack(_ spans: [FinishedSpan]) { waiting.withLock { $0 = spans + $0 } }

    package func noteExported(_ count: Int) { exports.increment(by: count) }

    package func noteDropped(_ count: Int, _ reason: Drop) { drops[reason]?.increment(by: count) }
}

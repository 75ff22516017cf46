import CoreMetrics
import InternalAPI
import ServiceKit

/// The counters of deliveries.
extension OutboxCourier {
    private static let metric = "outbox_deliveries_total"

    /// Counts a delivery by its outcome.
    func count(_ item: OutboxItem, outcome: String) {
        Counter(
            label: Self.metric,
            dimensions: [("kind", item.message.kind.rawValue), ("outcome", outcome)]
        ).increment()
    }

    /// Makes the counters of deliveries before the first one.
    static func startCounters() {
        Counter.start(
            Self.metric,
            ["kind": OutboxMessage.Kind.allCases.map(\.rawValue), "outcome": ["confirmed", "failed", "dropped"]])
        Counter.start(Self.metric, ["kind": [OutboxMessage.Kind.notice.rawValue], "outcome": ["void", "unsent"]])
        Counter.start(
            Self.metric,
            [
                "kind": [OutboxMessage.Kind.exchangeCode.rawValue],
                "outcome": ["refused", "foreign", "lost"] + KeptToken.allCases.map(\.rawValue),
            ])
        Counter.start(
            Self.metric,
            ["kind": [OutboxMessage.Kind.revokeToken.rawValue], "outcome": KeptToken.allCases.map(\.rawValue)])
    }
}

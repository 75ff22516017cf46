import CoreMetrics
import ServiceKit

/// The metrics of the hook.
enum EventMetrics {
    /// Makes the counters before their first events.
    static func start() {
        Counter.start("user_events_delivered_total")
        Counter.start("user_events_failed_total", ["reason": EventVerdict.failureReasons])
        Counter.start("user_events_given_up_total")
    }

    static func count(_ verdict: EventVerdict, isGivenUp: Bool) {
        guard verdict != .delivered else { return Counter(label: "user_events_delivered_total").increment() }
        Counter(label: "user_events_failed_total", dimensions: [("reason", verdict.reason)]).increment()
        if isGivenUp { Counter(label: "user_events_given_up_total").increment() }
    }

    static func countGivenUp(_ count: Int) {
        Counter(label: "user_events_given_up_total").increment(by: Int64(count))
    }

    static func record(_ standing: EventQueue.Standing, isStopped: Bool, now: Int64) {
        Gauge(label: "user_events_pending").record(standing.pending)
        Gauge(label: "user_events_oldest_seconds").record(standing.oldestAt.map { max(0, now - $0) } ?? 0)
        Gauge(label: "user_events_given_up").record(standing.givenUp)
        Gauge(label: "user_hook_stopped").record(isStopped ? 1 : 0)
    }
}

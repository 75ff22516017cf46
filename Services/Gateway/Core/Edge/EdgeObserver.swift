internal import CoreMetrics
internal import Logging
internal import NIOCore
internal import Synchronization

/// Counts and times requests by route, method and status; the route is a template, never a path.
struct EdgeObserver: RequestObserver {
    private struct Key: Hashable, Sendable {
        let route: String
        let method: String
        let status: Int
    }

    /// Series that are kept at hand; there are few routes and statuses.
    private final class Timers: Sendable {
        let byKey = Mutex<[Key: Timer]>([:])
    }

    private let table: RouteTable
    private let timers = Timers()

    init(table: RouteTable) { self.table = table }

    func requestDidFinish(_ head: RequestHead, status: Int, duration: TimeAmount) {
        let key = Key(route: table.label(path: head.pathText), method: head.methodText, status: status)
        timer(key).recordNanoseconds(duration.nanoseconds)
    }

    func requestWasRefused(_ violation: HTTPViolation) {
        Counter(label: "http_server_violations_total", dimensions: [("reason", violation.rawValue)]).increment()
    }

    private func timer(_ key: Key) -> Timer {
        timers.byKey.withLock { timers in
            if let timer = timers[key] { return timer }
            let timer = Timer(
                label: "http_server_request_duration_seconds",
                dimensions: [("route", key.route), ("method", key.method), ("status", "\(key.status)")])
            timers[key] = timer
            return timer
        }
    }
}

internal import CoreMetrics
internal import Logging
internal import NIOCore
internal import Synchronization

/// Counts, times and logs requests by route, method and status; the route is a template, never a path.
struct EdgeObserver: RequestObserver {
    private struct Key: Hashable, Sendable {
        let route: RouteLabel
        let method: HTTPMethod
        let status: Int
    }

    /// Series that are kept at hand; there are few routes and statuses.
    private final class Timers: Sendable {
        let byKey = Mutex<[Key: Timer]>([:])
    }

    let log: AccessLog
    private let timers = Timers()

    init(log: AccessLog) { self.log = log }

    func requestDidFinish(_ request: FinishedRequest) {
        timer(Key(route: request.route, method: request.head.method, status: request.status))
            .recordNanoseconds(request.duration.nanoseconds)
        log.write(request)
    }

    func requestWasRefused(_ violation: HTTPViolation) {
        Counter(label: "http_server_violations_total", dimensions: [("reason", violation.rawValue)]).increment()
    }

    private func timer(_ key: Key) -> Timer {
        timers.byKey.withLock { timers in
            if let timer = timers[key] { return timer }
            let timer = Timer(
                label: "http_server_request_duration_seconds",
                dimensions: [("route", key.route.text), ("method", key.method.rawValue), ("status", "\(key.status)")])
            timers[key] = timer
            return timer
        }
    }
}

internal import CoreMetrics
internal import Logging
internal import NIOCore
internal import ServiceKit

/// Counts, times and logs requests by route, method and status; the route is a template, never a path.
struct EdgeObserver: RequestObserver {
    private struct Key: Hashable, Sendable {
        let route: RouteLabel
        let method: HTTPMethod
        let status: Int
    }

    let log: AccessLog
    private let timers = SeriesMemory<Key, Timer> { key in
        Timer(
            label: "http_server_request_duration_seconds",
            dimensions: [("route", key.route.text), ("method", key.method.rawValue), ("status", "\(key.status)")])
    }

    init(log: AccessLog) { self.log = log }

    func requestDidFinish(_ request: FinishedRequest) {
        timers[Key(route: request.route, method: request.head.method, status: request.status)]
            .recordNanoseconds(request.duration.nanoseconds)
        log.write(request)
    }

    func requestWasRefused(_ violation: HTTPViolation) {
        Counter(label: "http_server_violations_total", dimensions: [("reason", violation.rawValue)]).increment()
    }
}

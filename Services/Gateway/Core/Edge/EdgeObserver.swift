import CoreMetrics
import EdgeHTTP
import NIOCore
import ServiceKit

/// Counts, times and logs requests by route, method and status. The route is a template, never a path.
struct EdgeObserver: RequestObserver {
    let log: AccessLog
    let refusals: RefusalLog
    private let timers = RequestTimers<RouteLabel>(text: \.text)

    func requestDidFinish(_ request: FinishedRequest) {
        timers.record(
            request.route, method: request.head.method.rawValue, status: request.status,
            nanoseconds: request.duration.nanoseconds)
        log.write(request)
    }

    func requestWasRefused(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel) {
        refusals.note(violation, method: method, at: route)
        Counter(label: "http_server_violations_total", dimensions: [("reason", violation.rawValue)]).increment()
    }
}

import CoreMetrics
import EdgeHTTP
import NIOCore
import ServiceKit

/// Counts, times and logs requests by route, method and status. The route is a template, never a path.
struct EdgeObserver: RequestObserver {
    private let log: AccessLog
    private let refusals: RefusalLog
    private let timers = RequestTimers<RouteLabel>(text: \.text)

    init(log: AccessLog, refusals: RefusalLog) {
        (self.log, self.refusals) = (log, refusals)
        Counter.start("http_server_violations_total", ["reason": HTTPViolation.allCases.map(\.rawValue)])
    }

    func requestDidFinish(_ request: FinishedRequest) {
        timers.record(
            request.route, method: request.head.method.rawValue, status: request.status,
            // How long a connection stays open says nothing about the upstream.
            nanoseconds: (request.opening ?? request.duration).nanoseconds)
        log.write(request)
    }

    func requestWasRefused(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel) {
        refusals.note(violation, method: method, at: route)
        Counter(label: "http_server_violations_total", dimensions: [("reason", violation.rawValue)]).increment()
    }
}

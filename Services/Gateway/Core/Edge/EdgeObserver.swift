import CoreMetrics
import EdgeHTTP
import NIOCore
import Policies
import ServiceKit

/// Counts, times and logs requests by route, method and status. The route is a template, never a path.
struct EdgeObserver: RequestObserver {
    private let log: AccessLog
    private let refusals: RefusalLog
    private let proxies: UntrustedProxyWatch
    private let timers = RequestTimers<RouteLabel>(text: \.text)

    init(log: AccessLog, refusals: RefusalLog, proxies: UntrustedProxyWatch) {
        (self.log, self.refusals, self.proxies) = (log, refusals, proxies)
        Counter.start("http_server_violations_total", ["reason": HTTPViolation.allCases.map(\.rawValue)])
    }

    func requestDidFinish(_ request: FinishedRequest) {
        timers.record(
            request.route, method: request.head.method.rawValue, status: request.status,
            // How long a connection stays open says nothing about the upstream.
            nanoseconds: (request.opening ?? request.duration).nanoseconds)
        log.write(request)
        proxies.count(Self.announcer(request))
    }

    /// Returns the peer of a request that announces its client without being trusted.
    private static func announcer(_ request: FinishedRequest) -> IPAddress? {
        let head = request.head
        // Most requests have no field of this kind.
        guard head.has(.reserved), !head.all("x-forwarded-for").isEmpty,
            !request.rules.limits.isShared(head.peer.address)
        else { return nil }
        return head.peer.address
    }

    func requestWasRefused(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel) {
        refusals.note(violation, method: method, at: route)
        Counter(label: "http_server_violations_total", dimensions: [("reason", violation.rawValue)]).increment()
    }
}

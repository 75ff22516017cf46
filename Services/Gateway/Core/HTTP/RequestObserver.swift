internal import NIOCore

/// Hears what became of each request, for metrics and the access log.
protocol RequestObserver: Sendable {
    /// - Parameter status: of the answer; 499 when the client left before there was one.
    func requestDidFinish(_ head: RequestHead, route: RouteLabel, status: Int, duration: TimeAmount)
    func requestWasRefused(_ violation: HTTPViolation)
}

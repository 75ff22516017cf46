internal import NIOCore

/// Hears what became of each request, for metrics and the access log.
protocol RequestObserver: Sendable {
    func requestDidFinish(_ head: RequestHead, status: Int, duration: TimeAmount)
    func requestWasRefused(_ violation: HTTPViolation)
}

internal import NIOCore

/// A request that was answered, or whose client left.
struct FinishedRequest: Sendable {
    let head: RequestHead
    let id: RequestID
    let route: RouteLabel
    /// Of the answer; 499 when the client left before there was one.
    let status: Int
    let duration: TimeAmount
}

/// Hears what became of each request, for metrics and the access log.
protocol RequestObserver: Sendable {
    func requestDidFinish(_ request: FinishedRequest)
    func requestWasRefused(_ violation: HTTPViolation)
}

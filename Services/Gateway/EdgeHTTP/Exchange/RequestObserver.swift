package import NIOCore

/// A request that was answered, or whose client left.
package struct FinishedRequest: Sendable {
    package let head: RequestHead
    package let id: RequestID
    package let route: RouteLabel
    /// Of the answer; 499 when the client left before there was one.
    package let status: Int
    package let duration: TimeAmount
}

/// Hears what became of each request, for metrics and the access log.
package protocol RequestObserver: Sendable {
    func requestDidFinish(_ request: FinishedRequest)
    func requestWasRefused(_ violation: HTTPViolation)
}

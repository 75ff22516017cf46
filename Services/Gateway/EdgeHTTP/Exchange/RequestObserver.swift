package import NIOCore

/// A request that was answered, or whose client left.
package struct FinishedRequest: Sendable {
    package let head: RequestHead
    package let id: RequestID
    package let route: RouteLabel
    /// The status of the response; 499 if the client left before there was one.
    package let status: Int
    package let duration: TimeAmount
    /// How long it took to open a WebSocket, or until a live response began; `nil` for any other request.
    package let opening: TimeAmount?
    /// The rules by which it was handled.
    package let rules: EdgeRules
}

/// Receives the outcome of each request, for metrics and logs.
package protocol RequestObserver: Sendable {
    func requestDidFinish(_ request: FinishedRequest)
    /// - Parameter method: `nil` if the message states none that is known.
    func requestWasRefused(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel)
}

package import NIOCore

/// The decision how a request is handled, made from its head only, on the connection's event loop.
package enum Disposition: Sendable {
    /// The request is refused, or answered at once.
    case answer(Reply)
    /// The whole body is read, and the handler responds. If the body breaks a rule, is too long or does not arrive,
    /// `bodyWasRefused` is called instead of the handler.
    case endpoint(
        bodyBytesMax: Int, bodyWasRefused: @Sendable () async -> Void = {},
        handler: @Sendable (EndpointRequest) async -> Reply)
    /// The request is streamed to an upstream, and the response back.
    case proxy(ProxyPlan)
    /// The decision needs another service first.
    case later(EventLoopFuture<Disposition>)
}

/// A request with its route.
package struct RoutedRequest: Sendable {
    package let route: RouteLabel
    package let disposition: Disposition
    /// Lines of the head of every response to it, whichever part writes it.
    package var answerLines: [UInt8]

    /// Creates a request with its decision.
    package init(route: RouteLabel, disposition: Disposition, answerLines: [UInt8] = []) {
        self.route = route
        self.disposition = disposition
        self.answerLines = answerLines
    }
}

/// Routes requests; the router of the current rules serves all connections.
package protocol RequestRouter: Sendable {
    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest
    /// Returns the response to a message that breaks HTTP's rules. The route is `.other` if it has none.
    func refusal(_ violation: HTTPViolation, at route: RouteLabel) -> Reply
    /// Returns the lines of every response to a request whose head was not accepted.
    func answerLines(for refused: RefusedHead) -> [UInt8]
    /// Returns the response if the upstream could not be reached or did not respond.
    func upstreamFailure(_ failure: UpstreamFailure, at route: RouteLabel) -> Reply
    /// Returns the client's own IP address, read through trusted proxies.
    func clientAddress(of head: RequestHead) -> String
}

package import NIOCore

/// What is to be done with a request, decided from its head alone, on the connection's event loop.
package enum Disposition: Sendable {
    /// Refuse, or answer at once.
    case answer(Reply)
    /// Read the whole body, call the handler, answer. `bodyWasRefused` is called instead of the handler when the body breaks a
    /// rule, is too long or does not come.
    case endpoint(
        bodyBytesMax: Int, bodyWasRefused: @Sendable () async -> Void = {},
        handler: @Sendable (EndpointRequest) async -> Reply)
    /// Stream to an upstream and back.
    case proxy(ProxyPlan)
    /// Something has to be asked first.
    case later(EventLoopFuture<Disposition>)
}

/// A request that has found its route.
package struct RoutedRequest: Sendable {
    package let route: RouteLabel
    package let disposition: Disposition
    /// Lines of a head that every answer to it bears, whoever makes it.
    package var answerLines: [UInt8]

    /// A request with what is to be done with it.
    package init(route: RouteLabel, disposition: Disposition, answerLines: [UInt8] = []) {
        self.route = route
        self.disposition = disposition
        self.answerLines = answerLines
    }
}

/// Decides about requests; the same for all connections.
package protocol RequestRouter: Sendable {
    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest
    /// The answer to a message that breaks HTTP's rules; `.other` when it has found no route.
    func refusal(_ violation: HTTPViolation, at route: RouteLabel) -> Reply
    /// Lines of every answer to a request whose head was not accepted.
    func answerLines(for refused: RefusedHead) -> [UInt8]
    /// The answer when the upstream could not be asked or did not answer.
    func upstreamFailure(_ failure: UpstreamFailure, at route: RouteLabel) -> Reply
    /// The client's own address, through proxies that are trusted.
    func clientAddress(of head: RequestHead) -> String
}

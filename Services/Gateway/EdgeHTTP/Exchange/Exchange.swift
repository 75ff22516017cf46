import NIOCore

/// One request from its head to the end of its response: routes it, accepts its body, and responds through its output.
///
/// It is independent of the protocol that carries it. Framing, keep-alive and the order of requests belong to the output. An
/// HTTP/1.1 connection uses the same exchange for each of its requests in turn. Two extensions share its state: `+Body` reads the
/// body, `+Answer` responds.
final class Exchange {
    /// How far the request is.
    enum Phase {
        /// There is no request, or it is answered.
        case over
        /// Another service is asked before the request is decided.
        case deciding
        case collecting(ByteBuffer, bytesMax: Int, handler: @Sendable (EndpointRequest) async -> Reply)
        /// An endpoint's handler is at work.
        case handling(bodyBytes: Int)
        case proxying(ProxyExchange, bodyBytesLeft: Int)
    }

    /// Whether pieces of the request's body are of use now.
    enum BodyDemand: Sendable, Equatable {
        /// The demand is not known yet, or the rest of the body is not needed.
        case none
        /// The upstream takes no more for now.
        case paused
        case wanted
    }

    let context: ExchangeContext
    /// The carrier of the response. It holds the exchange, and is set until the connection ends.
    var output: (any ExchangeOutput)?
    var phase = Phase.over
    var request: ServedRequest?
    /// Called if the body that is being collected is refused.
    var bodyWasRefused: (@Sendable () async -> Void)?
    var ids: IdentifierSource
    /// The time since which the client's bytes may wait to be read, in nanoseconds of `BootClock`.
    var connectedAt: Int64 = 0

    init(_ context: ExchangeContext, ids: IdentifierSource) {
        self.context = context
        self.ids = ids
    }

    /// Sets the output that writes to the client.
    func attach(to output: any ExchangeOutput) { self.output = output }

    /// Begins a request. Its response may have been written when this returns.
    ///
    /// - Throws: `.bodyTooLarge` for a length that is more than its route accepts, `.unexpectedBody` at an endpoint of ours.
    func begin(_ head: RequestHead) throws(HTTPViolation) {
        let rules = context.rules.current
        var begun = ServedRequest(head: head, id: RequestID(from: &ids), rules: rules)
        if rules.traceOneIn > 0 { begun.span = EdgeSpan(head, begun.id, oneIn: rules.traceOneIn) }
        phase = .deciding
        let routed = EdgeSpan.within(begun.span) { rules.router.route(head, on: context.eventLoop) }
        begun.route = routed.route
        begun.answerLines = routed.answerLines
        request = begun
        try follow(routed.disposition, of: head)
    }

    private func follow(_ disposition: Disposition, of head: RequestHead) throws(HTTPViolation) {
        switch disposition {
        case .answer(let reply): answer(reply)
        case .endpoint(let bytesMax, let bodyWasRefused, let handler):
            // None of our endpoints reads the body of such a request.
            guard !head.hasUnusualBody else { throw .unexpectedBody }
            try judgeLength(head, bytesMax: bytesMax)
            self.bodyWasRefused = bodyWasRefused
            collect(bytesMax: bytesMax, handler: handler, of: head)
        case .proxy(let plan):
            try judgeLength(head, bytesMax: plan.bodyBytesMax ?? .max)
            proxy(plan, head)
        case .later(let future): wait(for: future, head)
        }
    }

    private func judgeLength(_ head: RequestHead, bytesMax: Int) throws(HTTPViolation) {
        if case .length(let count) = head.framing, count > bytesMax { throw .bodyTooLarge }
    }

    private func wait(for future: EventLoopFuture<Disposition>, _ head: RequestHead) {
        future.hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
            guard case .deciding = self.phase else { return }
            do throws(HTTPViolation) {
                switch result {
                case .success(let disposition): try self.follow(disposition, of: head)
                case .failure: self.answer(self.reply(to: .cancelled))
                }
            } catch {
                self.output?.exchangeDidFail(error)
            }
            self.output?.exchangeDidMove()
        }
    }

    private func proxy(_ plan: ProxyPlan, _ head: RequestHead) {
        guard let output, let request else { return }
        guard !isStale else { return answer(unavailable) }
        output.askForBody()
        let proxied = ProxyExchange(
            head: head, plan: plan, requestID: request.id, span: request.span?.upstream(plan.upstream.name),
            pool: context.pools.pool(of: plan.upstream), client: self, output: output, timer: context.timer)
        phase = .proxying(proxied, bodyBytesLeft: plan.bodyBytesMax ?? .max)
        proxied.start()
    }

    /// The router of the request under way, or of the next one.
    var router: any RequestRouter { (request?.rules ?? context.rules.current).router }

    // MARK: Queries of the connection

    /// Whether the connection is from before a stall, so that its client may have given up.
    var isStale: Bool { connectedAt < context.pools.stalls.end }

    /// Whether pieces of the body are of use now.
    var bodyDemand: BodyDemand {
        switch phase {
        case .over, .deciding, .handling: .none
        case .collecting: .wanted
        case .proxying(let proxied, _): proxied.takesBody ? .wanted : .paused
        }
    }

    /// The connection that carries the request to its upstream, once it has one.
    var upstreamChannel: (any Channel)? {
        if case .proxying(let proxied, _) = phase { proxied.upstreamChannel } else { nil }
    }

    /// Whether the request goes to an upstream.
    var isProxying: Bool { if case .proxying = phase { true } else { false } }

    /// Bytes of memory that the request takes, without what the kernel holds.
    var heldBytes: Int {
        var bytes = 0
        switch phase {
        case .collecting(let body, _, _): bytes += body.storageCapacity
        case .handling(let count): bytes += count
        case .over, .deciding, .proxying: break
        }
        if let request { bytes += ConnectionHoldings.requestBytes + request.head.block.bytes.storageCapacity }
        return bytes
    }
}

internal import CryptoPrimitives
internal import NIOCore

extension ServerConnection {
    /// Begins to serve the request with this head.
    func begin(_ bytes: [UInt8]) throws(HTTPViolation) {
        guard let context else { return }
        var head = try RequestHeadParser.parse(bytes, limits: limits.head)
        if let peer = context.remoteAddress.flatMap(PeerAddress.init) { head.peer = peer.address }
        current = ServedRequest(
            head: head, requestID: Hex.encode(SecureRandom.bytes(16)), closesAfter: !head.keepsAlive || isDraining)
        follow(router.disposition(of: head, on: context.eventLoop), of: head)
    }

    /// Does what was decided.
    private func follow(_ disposition: Disposition, of head: RequestHead) {
        guard current != nil else { return }
        switch disposition {
        case .answer(let reply): answer(reply)
        case .endpoint(let bytesMax, let handler):
            guard fits(head, bytesMax) else { return refuse(.bodyTooLarge) }
            askForBody(head)
            current?.sink = .collect(ByteBuffer(), bytesMax: bytesMax, handler: handler)
        case .proxy(let plan):
            guard fits(head, plan.bodyBytesMax) else { return refuse(.bodyTooLarge) }
            startProxy(plan, head)
        case .later(let future): follow(future, of: head)
        }
    }

    private func follow(_ future: EventLoopFuture<Disposition>, of head: RequestHead) {
        guard let context, let requestID = current?.requestID else { return }
        future.hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
            guard self.current?.requestID == requestID else { return }
            switch result {
            case .success(let disposition): self.follow(disposition, of: head)
            case .failure: self.answer(self.router.upstreamFailure(.cancelled))
            }
            self.process()
        }
    }

    private func fits(_ head: RequestHead, _ bytesMax: Int?) -> Bool {
        guard case .length(let count) = head.framing, let bytesMax else { return true }
        return count <= bytesMax
    }

    private func startProxy(_ plan: ProxyPlan, _ head: RequestHead) {
        guard let context, let requestID = current?.requestID else { return }
        let exchange = ProxyExchange(
            head: head, plan: plan, requestID: requestID, pools: pools, eventLoop: context.eventLoop, client: self)
        askForBody(head)
        current?.sink = .proxy(exchange, bytesLeft: plan.bodyBytesMax ?? .max)
        current?.exchange = exchange
        exchange.start()
    }

    /// Tells a client that waits for it to send the body (RFC 9110 section 10.1.1).
    private func askForBody(_ head: RequestHead) {
        guard head.expectsContinue, head.framing != .none, inbound.readableBytes == 0, let context else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    }

    /// Reads one piece of the body; false when there is nothing to do now.
    func readBody() throws(HTTPViolation) -> Bool {
        guard let sink = current?.sink else { return false }
        if case .proxy(let exchange, _) = sink, !exchange.takesBody { return false }
        guard let event = try current?.body.next(from: &inbound) else { return false }
        switch event {
        case .needMore: return false
        case .data(let data): return try take(data, sink)
        case .end:
            current?.sink = nil
            return endBody(sink)
        }
    }

    private func take(_ data: ByteBuffer, _ sink: ServedRequest.BodySink) throws(HTTPViolation) -> Bool {
        let count = data.readableBytes
        switch sink {
        case .collect(var body, let bytesMax, let handler):
            guard body.readableBytes + count <= bytesMax else { throw .bodyTooLarge }
            body.writeImmutableBuffer(data)
            current?.sink = .collect(body, bytesMax: bytesMax, handler: handler)
        case .proxy(let exchange, let left):
            guard count <= left else { throw .bodyTooLarge }
            current?.sink = .proxy(exchange, bytesLeft: left - count)
            exchange.requestDidSend(data)
        case .discard(let left):
            guard count <= left else {
                linger()
                return false
            }
            current?.sink = .discard(bytesLeft: left - count)
        }
        return true
    }

    /// The body is whole; true if the next request may begin.
    private func endBody(_ sink: ServedRequest.BodySink) -> Bool {
        switch sink {
        case .collect(let body, _, let handler): call(handler, body)
        case .proxy(let exchange, _): exchange.requestDidEnd()
        case .discard: return finishIfDone()
        }
        return false
    }

    private func call(_ handler: @escaping @Sendable (EndpointRequest) async -> Reply, _ body: ByteBuffer) {
        guard let context, let current else { return }
        let requestID = current.requestID
        let request = EndpointRequest(
            head: current.head, body: Array(body.readableBytesView), requestID: requestID,
            clientAddress: router.clientAddress(of: current.head))
        context.eventLoop.makeFutureWithTask { await handler(request) }
            .assumeIsolated().whenSuccess { reply in
                guard self.current?.requestID == requestID else { return }
                self.answer(reply)
                self.process()
            }
    }
}

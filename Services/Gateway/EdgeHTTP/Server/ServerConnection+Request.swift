internal import NIOCore

extension ServerConnection {
    /// Reads a request's head and has it decided; false when it is not whole yet.
    func readHead() throws(HTTPViolation) -> Bool {
        guard inbound.readableBytes > 0 else { return false }
        let isFirstByte = !parser.isUnderWay
        guard var head = try parser.next(from: &inbound) else {
            if isFirstByte { timer.set(seconds: limits.headSeconds) }
            return false
        }
        timer.clear()
        turn.beginRequest()
        holdings.rate = RateFloor()
        head.peer = peer
        current = Current(head: head, id: RequestID(from: &ids))
        body = BodyDecoder(head.framing)
        closesAfter = !head.keepsAlive || isDraining
        phase = .deciding
        if let context {
            let routed = router.route(head, on: context.eventLoop)
            current?.route = routed.route
            current?.answerLines = routed.answerLines
            try follow(routed.disposition, of: head)
        }
        return true
    }

    /// Learns from the proxy in front who the client is; false when it has not said all.
    ///
    /// A connection that begins otherwise, or comes from elsewhere, ends without an answer: whoever comes past the proxy is
    /// not served. So does one too many of a client.
    func readProxyHeader() -> Bool {
        guard limits.isShared(peer.address) else {
            abort()
            return false
        }
        switch ProxyHeader.read(from: &inbound) {
        case .incomplete: return false
        case .malformed:
            abort()
            return false
        case .local: break
        case .client(let address):
            guard slot.connections.assign(slot.id, to: address) else {
                abort()
                return false
            }
            peer = ClientPeer(address: address)
        }
        phase = .idle
        timer.set(seconds: slot.connections.idleSeconds)
        return true
    }

    private func follow(_ disposition: Disposition, of head: RequestHead) throws(HTTPViolation) {
        switch disposition {
        case .answer(let reply): answer(reply)
        case .endpoint(let bytesMax, let handler):
            try judgeLength(head, bytesMax: bytesMax)
            askForBody(head)
            timer.set(seconds: limits.bodySeconds)
            phase = .collecting(ByteBuffer(), bytesMax: bytesMax, handler: handler)
        case .proxy(let plan):
            try judgeLength(head, bytesMax: plan.bodyBytesMax ?? .max)
            startProxying(plan, head)
        case .later(let future): wait(for: future, head)
        }
    }

    private func judgeLength(_ head: RequestHead, bytesMax: Int) throws(HTTPViolation) {
        if case .length(let count) = head.framing, count > bytesMax { throw .bodyTooLarge }
    }

    private func wait(for future: EventLoopFuture<Disposition>, _ head: RequestHead) {
        guard let context else { return }
        future.hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
            guard case .deciding = self.phase else { return }
            do throws(HTTPViolation) {
                switch result {
                case .success(let disposition): try self.follow(disposition, of: head)
                case .failure: self.answer(self.router.upstreamFailure(.cancelled))
                }
            } catch {
                self.refuse(error)
            }
            self.process()
        }
    }

    private func startProxying(_ plan: ProxyPlan, _ head: RequestHead) {
        guard let current else { return }
        askForBody(head)
        let exchange = ProxyExchange(
            head: head, plan: plan, requestID: current.id, pool: pools.pool(of: plan.upstream), client: self)
        phase = .proxying(exchange, bodyBytesLeft: plan.bodyBytesMax ?? .max)
        exchange.start()
    }

    /// Tells a client that waits for it to send the body (RFC 9110 section 10.1.1).
    private func askForBody(_ head: RequestHead) {
        guard head.expectsContinue, !head.framing.isEmpty, inbound.readableBytes == 0 else { return }
        write(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"))
        flush()
    }
}

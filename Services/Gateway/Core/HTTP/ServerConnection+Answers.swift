internal import CryptoPrimitives
internal import NIOCore

// MARK: - Answers of our own

extension ServerConnection {
    /// Writes a whole answer; what is left of the body is read and dropped, within limits.
    func answer(_ reply: Reply) {
        guard let context, current != nil else { return }
        current?.isAnswered = true
        current?.status = reply.status
        if reply.closes || isDraining { current?.closesAfter = true }
        judgeRestOfBody()
        guard let current else { return }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(512 + reply.body.count)
        ReplySerializer.write(
            reply, requestID: current.requestID, isHEAD: current.head.isHEAD, keepsAlive: !current.closesAfter,
            into: &buffer)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        _ = finishIfDone()
    }

    private func judgeRestOfBody() {
        current?.sink = nil
        guard let current, !current.body.isDone else { return }
        if case .length(let count) = current.head.framing, count <= limits.discardedBytesMax,
            !current.head.expectsContinue
        {
            self.current?.sink = .discard(bytesLeft: limits.discardedBytesMax)
        } else {
            self.current?.closesAfter = true
        }
    }

    /// Ends the request when answer and body are through; true if the next one may begin.
    func finishIfDone() -> Bool {
        guard let current, current.isAnswered, current.closesAfter || current.sink == nil else { return false }
        observer.requestDidFinish(current.head, status: current.status, duration: .now() - current.startedAt)
        self.current = nil
        lastProgress = .now()
        guard current.closesAfter else {
            if isDraining { closeWhenIdle() }
            return true
        }
        linger()
        return false
    }

    /// Answers a message that breaks the rules, and ends the connection: where it would go on is not known.
    func refuse(_ violation: HTTPViolation) {
        guard let context else { return }
        let requestID = current?.requestID ?? Hex.encode(SecureRandom.bytes(16))
        let hasAnswerBegun = current.map { $0.status != 0 } ?? false
        abandon()
        guard !hasAnswerBegun else { return close() }
        observer.requestWasRefused(violation)
        var buffer = ByteBuffer()
        ReplySerializer.write(
            router.refusal(violation), requestID: requestID, isHEAD: false, keepsAlive: false, into: &buffer)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        linger()
    }

    /// Ends the connection once the client has had time to read the answer.
    ///
    /// Closing a socket with unread bytes resets it, and a reset can overtake the answer (RFC 9112 section 9.6): so our
    /// half is closed first, and what still comes is dropped for a while.
    func linger() {
        guard let context, !isLingering else { return }
        abandon()
        isLingering = true
        inbound.clear()
        let loop = context.eventLoop.assumeIsolated()
        loop.scheduleTask(in: ServerLimits.lingerTimeMax) { self.close() }
        // What was written goes out before our half is closed, and only then does the wait begin.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
            self.context?.close(mode: .output, promise: nil)
            self.context?.read()
            loop.scheduleTask(in: ServerLimits.lingerTime) { self.close() }
        }
    }
}

// MARK: - Proxied answers

extension ServerConnection {
    /// The upstream takes more of the body.
    func resumeBody() { process() }

    /// Writes the answer's head.
    func beginProxiedAnswer(_ head: ByteBuffer, status: Int, closes: Bool) {
        guard let context, current != nil else { return }
        current?.status = status
        if closes || isDraining { current?.closesAfter = true }
        var head = head
        if current?.closesAfter == true { head.writeStaticString("Connection: close\r\n") }
        head.writeStaticString("\r\n")
        context.writeAndFlush(wrapOutboundOut(head), promise: nil)
    }

    /// Writes a piece of the answer's body, and reads no more of it than the client takes.
    func sendProxiedBody(_ data: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(data), promise: nil)
        if context?.channel.isWritable == false { current?.exchange?.clientWritabilityDidChange(false) }
    }

    /// The answer is whole.
    func endProxiedAnswer(_ end: ByteBuffer?) {
        guard current != nil else { return }
        if let end { context?.writeAndFlush(wrapOutboundOut(end), promise: nil) }
        current?.exchange = nil
        current?.isAnswered = true
        current?.sink = nil
        if current?.body.isDone == false { current?.closesAfter = true }
        _ = finishIfDone()
        process()
    }

    /// The answer broke off: the client must see that it is not whole.
    func abortProxiedAnswer() {
        current?.exchange = nil
        close()
    }

    /// There is no answer from the upstream.
    func failProxied(_ failure: UpstreamFailure) {
        guard current != nil else { return }
        current?.exchange = nil
        answer(router.upstreamFailure(failure))
        process()
    }
}

import NIOCore

/// The writing of responses to the client.
extension ServerConnection: ExchangeOutput {
    func askForBody() {
        guard machine.owesContinue else { return }
        writeGathered()
        send(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"))
        flush()
    }

    func exchangeDidMove() { process() }

    func exchangeDidFail(_ violation: HTTPViolation) { refuse(violation) }

    func write(_ reply: Reply, as frame: AnswerFrame) {
        machine.beginReply(closes: reply.closes)
        gather(reply, as: frame)
        follow(machine.endAnswer())
    }

    func announce(_ interim: ResponseHead) {
        writeGathered()
        send(ProxyMessages.announcement(interim))
    }

    func beginAnswer(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame) {
        // From here to the end of the response there is nothing else to write.
        writeGathered()
        machine.beginProxiedAnswer(endsByClose: AnswerBuffer.framing(of: head, for: frame) == .untilClose)
        answers.beginProxied(head, plan: plan, as: frame, closes: machine.closesAfter)
        if head.switches { beginTunnel() }
    }

    /// Begins to pass on all bytes in both directions. A client that has sent its last byte still gets the upstream's.
    private func beginTunnel() {
        machine.beginTunnel()
        context?.channel.setOption(.allowRemoteHalfClosure, value: true).assumeIsolated().whenFailure { _ in }
    }

    func writeAnswer(_ data: ByteBuffer) { answers.appendProxied(data) { send($0) } }

    func pauseAnswer() {
        answers.drainProxied { send($0) }
        flush()
    }

    func endAnswer() {
        answers.endProxied { send($0) }
        let ending = machine.endAnswer()
        // A step that closes the connection flushes itself.
        if transport == nil, ending == .rest, let context { pools.flushQueue.add(context.channel) }
        follow(ending)
        if transport != nil, ending == .rest { flushSoon() }
        process()
    }

    /// Whether another request may begin; it tries to write first.
    func hasRoomForAnswer() -> Bool {
        if takesAnswers { return true }
        flush()
        return takesAnswers
    }

    /// Appends a whole response. It is sent at the end of `process()`, or with the next bytes written.
    func gather(_ reply: Reply, as frame: AnswerFrame) {
        answers.gather(reply, as: frame, keepsAlive: !machine.closesAfter)
        if answers.isFull { flush() }
    }

    /// Writes the collected bytes, and passes them to the kernel.
    func flush() {
        writeGathered()
        encrypt()
        context?.flush()
        transport?.didFlush()
        pools.census.didProgress(self)
    }

    private func writeGathered() {
        if let replies = answers.takeGathered() { send(replies) }
    }

    /// Writes a buffer. It is called from within `answers` too, so it does not use them.
    private func send(_ buffer: ByteBuffer) {
        pools.census.didWrite(buffer.readableBytes, to: self)
        guard let transport else {
            context?.write(wrapOutboundOut(buffer), promise: nil)
            return
        }
        // A flush may deliver bytes of the client and its close, while this object is just being changed.
        transport.hold(buffer)
    }

    /// Writes the held bytes over TLS, one record at a time, so that the buffer which the encrypting handler keeps does not grow.
    private func encrypt() {
        while let transport, transport.hasHeld {
            if transport.mustFlushFirst {
                context?.flush()
                transport.didFlush()
            } else if let piece = transport.takePiece() {
                context?.write(wrapOutboundOut(piece), promise: nil)
            }
        }
    }

    /// Sends a response over TLS: a small one together with those of other connections, a large one at once.
    private func flushSoon() {
        guard let transport, let context, transport.fitsOneFlush else { return flush() }
        encrypt()
        pools.flushQueue.add(context.channel)
    }
}

import NIOCore

/// How answers are written to the client.
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
        // From here to the end of the answer there is nothing else to write.
        writeGathered()
        machine.beginProxiedAnswer(endsByClose: AnswerBuffer.framing(of: head, for: frame) == .untilClose)
        answers.beginProxied(head, plan: plan, as: frame, closes: machine.closesAfter)
    }

    func writeAnswer(_ data: ByteBuffer) { answers.appendProxied(data) { send($0) } }

    func pauseAnswer() {
        answers.drainProxied { send($0) }
        flush()
    }

    func endAnswer() {
        answers.endProxied { send($0) }
        let ending = machine.endAnswer()
        // Whatever closes the connection flushes itself.
        if transport == nil, ending == .rest, let context { pools.flushQueue.add(context.channel) }
        follow(ending)
        if transport != nil, ending == .rest { flushSoon() }
        process()
    }

    /// Whether another request may begin; tries to write first.
    func hasRoomForAnswer() -> Bool {
        if takesAnswers { return true }
        flush()
        return takesAnswers
    }

    /// Takes a whole answer; it goes out at the end of `process()`, or with what is written next.
    func gather(_ reply: Reply, as frame: AnswerFrame) {
        answers.gather(reply, as: frame, keepsAlive: !machine.closesAfter)
        if answers.isFull { flush() }
    }

    /// Writes what there is, and hands it to the kernel.
    func flush() {
        writeGathered()
        encrypt()
        context?.flush()
        transport?.didFlush()
        noteStanding()
        noteHoldings()
    }

    private func writeGathered() {
        if let replies = answers.takeGathered() { send(replies) }
    }

    /// Called from within `answers` too, so it leaves them alone.
    private func send(_ buffer: ByteBuffer) {
        didWrite(buffer.readableBytes)
        guard let transport else {
            context?.write(wrapOutboundOut(buffer), promise: nil)
            return
        }
        // A flush may bring what the client has sent, and its end: here something of ours is just being changed.
        transport.hold(buffer)
    }

    /// Over TLS: writes what is held a record at a time, so that the buffer which the encrypting handler keeps does not grow.
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

    /// Over TLS: a small answer goes out together with those of other connections, a large one at once.
    private func flushSoon() {
        guard let transport, let context, transport.fitsOneFlush else { return flush() }
        encrypt()
        pools.flushQueue.add(context.channel)
    }
}

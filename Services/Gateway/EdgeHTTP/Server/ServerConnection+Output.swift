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
        machine.beginProxiedAnswer()
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
        if ending == .rest, let context { pools.flushQueue.add(context.channel) }
        follow(ending)
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
        guard transport == nil else { return encrypt(buffer) }
        context?.write(wrapOutboundOut(buffer), promise: nil)
    }

    /// Writes a record at a time, so that the buffer which the encrypting handler keeps does not grow.
    private func encrypt(_ buffer: ByteBuffer) {
        var rest = buffer
        while let piece = transport?.nextPiece(of: &rest) {
            if piece.flushesFirst { context?.flush() }
            context?.write(wrapOutboundOut(piece.bytes), promise: nil)
        }
    }
}

internal import NIOCore

extension ServerConnection {
    /// Writes a whole answer; what is left of the body is read and dropped, within limits.
    func answer(_ reply: Reply) {
        guard let current else { return }
        closesAfter = closesAfter || reply.closes || isDraining || !isRestOfBodySmall
        self.current?.status = reply.status
        gather(reply, id: current.id, isHEAD: current.head.method == .head, adding: current.answerLines)
        if body.isDone || closesAfter {
            finish()
        } else {
            timer.set(seconds: limits.bodySeconds)
            phase = .discarding(bytesLeft: limits.discardedBytesMax)
        }
    }

    /// Answers a message that breaks the rules, and ends the connection: where it would go on is not known.
    func refuse(_ violation: HTTPViolation) {
        if case .proxying(let exchange, _) = phase { exchange.cancel() }
        observer.requestWasRefused(violation)
        // Behind a part of an answer there is no place for another.
        guard (current?.status ?? 0) == 0 else { return abort() }
        closesAfter = true
        let id = current?.id ?? RequestID(from: &ids)
        gather(router.refusal(violation), id: id, isHEAD: current?.head.method == .head, adding: [])
        current = nil
        linger()
    }

    /// The request is through: the connection waits for the next one, or ends.
    func finish() {
        report()
        guard !closesAfter else { return linger() }
        phase = .idle
        timer.set(seconds: isDraining ? limits.drainIdleSeconds : slot.connections.idleSeconds)
    }

    /// Whether the client has taken so much of what was written that there is room for another answer; what the kernel does
    /// not take counts.
    var takesAnswers: Bool { context?.channel.isWritable ?? false }

    /// Whether another request may begin; tries to write first.
    func hasRoomForAnswer() -> Bool {
        if takesAnswers { return true }
        flush()
        return takesAnswers
    }

    func write(_ buffer: ByteBuffer) {
        writeGathered()
        didWrite(buffer.readableBytes)
        context?.write(wrapOutboundOut(buffer), promise: nil)
    }

    func flush() {
        writeGathered()
        context?.flush()
        noteStanding()
        noteHoldings()
    }

    /// Flushes together with other connections, soon; whatever closes the connection before has to flush itself.
    func flushLater() { if let context { pools.flushQueue.add(context.channel) } }

    /// Takes a whole answer; it goes out at the end of `process()`, or with what is written next.
    func gather(_ reply: Reply, id: RequestID, isHEAD: Bool, adding lines: [UInt8]) {
        gathered.reserveCapacity(
            minimumWritableBytes: ReplySerializer.usualHeadBytes + lines.count + reply.body.count)
        ReplySerializer.write(
            reply, requestID: id, isHEAD: isHEAD, keepsAlive: !closesAfter, adding: lines, into: &gathered)
        if gathered.readableBytes >= Self.gatheredBytesMax { flush() }
    }

    private func writeGathered() {
        guard gathered.readableBytes > 0 else { return }
        let answers = gathered
        gathered = ByteBuffer()
        didWrite(answers.readableBytes)
        context?.write(wrapOutboundOut(answers), promise: nil)
    }

    /// More go out before the next request begins.
    private static let gatheredBytesMax = 16 * 1024

    /// Whether the rest of the body is worth reading to keep the connection; a client that waits for 100 may never send it.
    private var isRestOfBodySmall: Bool {
        guard !body.isDone, let current else { return true }
        if case .length(let count) = current.head.framing, count > limits.discardedBytesMax { return false }
        return !current.head.expectsContinue
    }
}

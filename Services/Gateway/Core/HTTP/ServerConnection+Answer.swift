internal import NIOCore

extension ServerConnection {
    /// Writes a whole answer; what is left of the body is read and dropped, within limits.
    func answer(_ reply: Reply) {
        guard let current else { return }
        closesAfter = closesAfter || reply.closes || isDraining || !isRestOfBodySmall
        self.current?.status = reply.status
        write(
            serialized(reply, id: current.id, isHEAD: current.head.method == .head, adding: current.answerLines))
        flush()
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
        write(serialized(router.refusal(violation), id: id, isHEAD: current?.head.method == .head, adding: []))
        flush()
        current = nil
        linger()
    }

    /// The request is through: the connection waits for the next one, or ends.
    func finish() {
        report()
        guard !closesAfter else { return linger() }
        phase = .idle
        timer.set(seconds: isDraining ? limits.drainIdleSeconds : limits.idleSeconds)
    }

    func write(_ buffer: ByteBuffer) { context?.write(wrapOutboundOut(buffer), promise: nil) }

    func flush() { context?.flush() }

    /// Flushes together with other connections, soon; whatever closes the connection before has to flush itself.
    func flushLater() { if let context { pools.flushQueue.add(context.channel) } }

    private func serialized(_ reply: Reply, id: RequestID, isHEAD: Bool, adding lines: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(ReplySerializer.usualHeadBytes + lines.count + reply.body.count)
        ReplySerializer.write(
            reply, requestID: id, isHEAD: isHEAD, keepsAlive: !closesAfter, adding: lines, into: &buffer)
        return buffer
    }

    /// Whether the rest of the body is worth reading to keep the connection; a client that waits for 100 may never send it.
    private var isRestOfBodySmall: Bool {
        guard !body.isDone, let current else { return true }
        if case .length(let count) = current.head.framing, count > limits.discardedBytesMax { return false }
        return !current.head.expectsContinue
    }
}

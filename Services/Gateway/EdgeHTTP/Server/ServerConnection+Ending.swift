internal import NIOCore

extension ServerConnection {
    /// Ends the connection after what has been written: our half first, and reads on for a while. A full close would answer
    /// bytes that are still under way with a reset, which can take our last answer from the client.
    func linger() {
        guard let context else { return }
        phase = .lingering(bytesLeft: limits.lingerBytesMax)
        // Until all is written the client may be slow; afterwards it has little time.
        timer.set(seconds: limits.idleSeconds)
        flush()
        let written = context.eventLoop.makePromise(of: Void.self)
        context.close(mode: .output, promise: written)
        written.futureResult.assumeIsolated().whenComplete { _ in
            if case .lingering = self.phase { self.timer.set(seconds: self.limits.lingerSeconds) }
        }
    }

    /// Drops what a client still sends; true as long as there is more to look at.
    func dropInbound(bytesLeft: Int) -> Bool {
        let count = inbound.readableBytes
        inbound.clear()
        if count > bytesLeft { abort() } else { phase = .lingering(bytesLeft: bytesLeft - count) }
        return false
    }

    /// Ends the connection at once: the client sees that what it got is not whole.
    func abort() {
        let closing = context
        end()
        closing?.close(promise: nil)
    }

    /// The connection is over; so is what it had under way.
    func end() {
        if case .proxying(let exchange, _) = phase { exchange.cancel() }
        phase = .closed
        pools.holdings.remove(self)
        report()
        context = nil
        timer.end()
    }

    /// Tells the observer what became of the request under way.
    func report() {
        guard let current else { return }
        self.current = nil
        let status = current.status == 0 ? Self.clientLeftStatus : current.status
        let duration = NIODeadline.now() - current.startedAt
        observer.requestDidFinish(
            FinishedRequest(
                head: current.head, id: current.id, route: current.route, status: status, duration: duration))
    }

    /// What is counted when a client leaves before it is answered; never sent.
    private static let clientLeftStatus = 499

    /// Nothing has moved for too long.
    func deadlineDidPass() {
        switch phase {
        case .idle where !takesAnswers: judgeTaking()
        case .idle: if parser.isUnderWay { refuse(.headerTimeout) } else { linger() }
        case .collecting: refuse(.bodyTimeout)
        case .lingering: judgeTaking()
        case .preface, .discarding: abort()
        case .proxying(let exchange, _):
            let isClientSlow = !body.isDone && exchange.takesBody && inbound.readableBytes == 0
            if isClientSlow, !exchange.hasAnswerBegun { refuse(.bodyTimeout) } else { exchange.deadlineDidPass() }
        case .deciding, .handling, .closed: break
        }
    }

    /// Finishes the request under way, answers one that is just coming, then ends.
    func drain() {
        isDraining = true
        // An answer whose head is out may have promised to keep the connection: then the next one is the last.
        if let current, current.status == 0 { closesAfter = true }
        if case .idle = phase, !parser.isUnderWay { timer.set(seconds: limits.drainIdleSeconds) }
    }
}

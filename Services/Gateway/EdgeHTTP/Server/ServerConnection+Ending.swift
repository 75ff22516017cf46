import NIOCore

/// How a connection ends.
extension ServerConnection {
    /// Answers a message that breaks the rules, and closes the connection: nothing after it is read as a request.
    func refuse(_ violation: HTTPViolation) {
        let mayRefuse = machine.mayRefuse
        machine.closeAfterAnswer()
        if !violation.leavesBody { machine.forgetBody() }
        exchange.refuse(violation, RefusedHead(machine.headBytes, from: peer), isAnswerPossible: mayRefuse)
        machine.forgetRefused()
        if !mayRefuse { abort() }
    }

    /// Ends the connection after what has been written: our half first, and reads on for a while. A full close would answer
    /// bytes that are still under way with a reset, which can take our last answer from the client.
    func linger() {
        guard let context else { return }
        machine.linger()
        if machine.isAbsorbing { absorbEnd = .now() + .seconds(limits.absorbSeconds) }
        // Until all is written the client may be slow; afterwards it has little time.
        timer.set(seconds: limits.idleSeconds)
        flush()
        let written = context.eventLoop.makePromise(of: Void.self)
        context.close(mode: .output, promise: written)
        written.futureResult.assumeIsolated().whenComplete { result in
            if case .success = result { self.answers.didWriteAll() }
            self.awaitEnd()
        }
    }

    /// Sets the deadline of a connection whose last response is written.
    func awaitEnd() {
        switch machine.stage {
        case .lingering: timer.set(seconds: limits.lingerSeconds)
        case .absorbing: timer.set(min(.now() + .seconds(limits.absorbSilenceSeconds), absorbEnd))
        case .preface, .idle, .exchange, .discarding, .closed: break
        }
    }

    /// Ends the connection at once: the client sees that what it got is not whole.
    func abort() {
        // Where the end of the connection is that of the response, only a reset tells a broken one from a whole one.
        if answers.endsByClose, let channel = context?.channel { SocketMemory.resetAtEnd(channel) }
        let closing = transport?.context ?? context
        end()
        closing?.close(promise: nil)
    }

    /// The connection is over; so is what it had under way.
    func end() {
        machine.close()
        pools.holdings.remove(self)
        exchange.end()
        context = nil
        transport = nil
        timer.end()
    }

    /// Nothing has moved for too long.
    func deadlineDidPass() {
        switch machine.stage {
        case .idle where !takesAnswers: judgeTaking()
        case .idle: if machine.isHeadUnderWay { refuse(.headerTimeout) } else { linger() }
        case .exchange: exchange.deadlineDidPass(lacksBody: machine.lacksBody)
        case .absorbing, .lingering: judgeTaking()
        case .preface, .discarding: abort()
        case .closed: break
        }
    }

    /// Answers have waited for long: the connection stays if the client has taken some of them meanwhile.
    private func judgeTaking() {
        guard holdings.hasTakenMore(on: context?.channel) else { return abort() }
        timer.set(seconds: limits.idleSeconds)
    }

    /// Finishes the request under way, answers one that is just coming, then ends.
    func drain() {
        machine.drain()
        if machine.stage == .idle, !machine.isHeadUnderWay { timer.set(seconds: limits.drainIdleSeconds) }
    }
}

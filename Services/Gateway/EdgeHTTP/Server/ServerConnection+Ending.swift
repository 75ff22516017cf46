import NIOCore

/// The end of a connection.
extension ServerConnection {
    /// Responds to a message that breaks the rules, and closes the connection: nothing after it is read as a request.
    func refuse(_ violation: HTTPViolation) {
        let mayRefuse = machine.mayRefuse
        machine.closeAfterAnswer()
        if !violation.leavesBody { machine.forgetBody() }
        exchange.refuse(violation, RefusedHead(machine.headBytes, from: peer), isAnswerPossible: mayRefuse)
        machine.forgetRefused()
        if !mayRefuse { abort() }
    }

    /// Closes the connection after the written bytes: our half first, while it reads on for a while. A full close would answer
    /// bytes that are still on their way with a reset, which can take our last response from the client.
    func linger() {
        guard let context else { return }
        machine.linger()
        if machine.isAbsorbing { absorbEnd = .now() + .seconds(limits.absorbSeconds) }
        // Until all is written the client may be slow; afterwards it has little time.
        timer.set(seconds: limits.idleSeconds)
        flush()
        let written = context.eventLoop.makePromise(of: Void.self)
        if machine.isTunnel {
            // If the client has closed its half, closing ours would discard what is not written yet.
            context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
        } else {
            context.close(mode: .output, promise: written)
        }
        written.futureResult.assumeIsolated().whenComplete { result in
            if case .success = result { self.answers.didWriteAll() }
            if self.machine.isTunnel { self.context?.close(mode: .output, promise: nil) }
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

    /// Closes the connection at once, so that the client sees that the response is not whole.
    func abort() {
        // If the response ends with the connection, only a reset distinguishes a broken response from a whole one.
        if answers.endsByClose, let channel = context?.channel { SocketMemory.resetAtEnd(channel) }
        let closing = transport?.context ?? context
        end()
        closing?.close(promise: nil)
    }

    /// Notes that the client of a tunnel has closed its half.
    func clientDidEndSending() {
        switch machine.stage {
        case .exchange where machine.isTunnel:
            hasClientEnded = true
            process()
        // The upstream has ended too, and its last bytes are still being written.
        case .lingering where answers.endsByClose: break
        default: abort()
        }
    }

    /// Passes the end of a tunnel's client on, once the upstream has accepted all bytes before it.
    func passOnEnd() {
        guard !machine.hasInbound else { return }
        hasClientEnded = false
        exchange.bodyDidEnd()
    }

    /// Notes that the connection is closed, and ends the request under way.
    func end() {
        machine.close()
        pools.census.remove(self)
        exchange.end()
        context = nil
        transport = nil
        timer.end()
    }

    /// Handles a deadline that has passed without progress.
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

    /// Checks a client for which responses have waited for long: the connection stays if the client has accepted some bytes
    /// meanwhile.
    private func judgeTaking() {
        guard holdings.hasTakenMore(on: context?.channel) else { return abort() }
        timer.set(seconds: limits.idleSeconds)
    }

    /// Finishes the request under way, answers one that is arriving, then ends.
    func drain() {
        machine.drain()
        if machine.stage == .idle, !machine.isHeadUnderWay { timer.set(seconds: limits.drainIdleSeconds) }
    }
}

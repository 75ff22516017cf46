import NIOCore

/// Carries out the decisions of a `ConnectionMachine`: reads, writes, timer, close. Stays on the channel's event loop.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Callbacks of the connection's owner, called on the event loop; `closed` is called exactly once, and no other after
    /// it.
    struct Observer {
        let ready: () -> Void
        let closed: (RedisError) -> Void
    }

    private let location: RedisLocation
    /// The server's address; `nil` if there was none when the connection was begun.
    let address: RedisAddress?
    private let handshake: [[RedisArgument]]
    private let handshakeTimeout: TimeAmount
    private let observer: Observer
    private let parser: ReplyParser
    private var machine: ConnectionMachine<RedisRequest>
    private var context: ChannelHandlerContext?
    private var outgoing = ByteBuffer()
    private var timer: Scheduled<Void>?
    private var timerDeadline = NIODeadline.distantFuture

    init(_ configuration: RedisConfiguration, observer: Observer) {
        location = configuration.location
        address = configuration.location.current
        handshake = configuration.handshake
        handshakeTimeout = TimeAmount(configuration.connectTimeout)
        self.observer = observer
        parser = ReplyParser(replyBytesMax: configuration.replyBytesMax)
        machine = ConnectionMachine(
            handshakeCommandCount: handshake.count, asksRole: configuration.asksRole,
            pendingCommandsMax: configuration.pendingCommandsMax)
    }
}

// MARK: - Orders of the owner

extension ConnectionHandler {
    /// Whether the server may still be used: Sentinels have not replaced it.
    var isTrusted: Bool { address.map(location.trusts) ?? false }

    /// Writes the requests in order, in one piece. A request that cannot be written now fails.
    func send(_ requests: some Sequence<RedisRequest>) {
        for request in requests { encode(request) }
        flush()
    }

    /// Closes once the replies to all written requests have arrived, or their time is over.
    func drain() {
        finish(machine.drain())
    }

    /// Closes now; requests without a reply fail with `reason`.
    func close(_ reason: RedisError = .ended) {
        finish(machine.lost(reason))
    }

    /// Handles a socket that could not be opened.
    func connectFailed(_ error: any Error) {
        finish(machine.lost(RedisError(.notConnected, RedisError.words(ofConnecting: error))))
    }

    private func encode(_ request: RedisRequest) {
        guard request.beginSending() else { return }
        let count = request.commands.count
        switch machine.send(request, commandCount: count, deadline: request.deadline) {
        case .write(let checkBy):
            for command in request.commands { CommandEncoder.write(command, to: &outgoing) }
            startTimer(for: checkBy)
        case .refuse(let error):
            request.refuse(error)
        }
    }

    private func flush() {
        guard outgoing.readableBytes > 0, let context else { return }
        context.writeAndFlush(wrapOutboundOut(outgoing), promise: nil)
        outgoing.clear()
    }
}

// MARK: - Events of the channel

extension ConnectionHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { connected(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        connected(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(RedisError) {
            try parser.feed(unwrapInboundIn(data), deliver: received)
        } catch {
            finish(machine.lost(error))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(machine.lost(RedisError(.connectionLost, "closed by Redis")))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(machine.lost(RedisError(.connectionLost, RedisError.words(ofConnecting: error))))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(machine.lost(RedisError(.connectionLost, "removed from the channel")))
        self.context = nil
    }

    private func connected(_ context: ChannelHandlerContext) {
        let deadline = context.eventLoop.now + handshakeTimeout
        guard machine.connected(handshakeDeadline: deadline) else {
            if machine.phase == .closed { context.close(promise: nil) }
            return
        }
        for command in handshake { CommandEncoder.write(command, to: &outgoing) }
        flush()
        startTimer(for: deadline)
    }

    private func received(_ reply: RedisReply) {
        // A master that was replaced may still answer, and what it says no longer counts.
        guard isTrusted else { return finish(machine.lost(.replaced)) }
        switch machine.received(reply) {
        case .wait: break
        case .becomeReady: observer.ready()
        case .deliver(let request):
            request.receive(reply)
            // A replica, which was the master when the connection was opened.
            if case .failure(let error) = reply, error.replyPrefix == "READONLY" { finish(machine.lost(.replaced)) }
        case .deliverAndClose(let request, let closing):
            request.receive(reply)
            finish(closing)
        case .close(let closing): finish(closing)
        }
    }
}

// MARK: - Timer and end

extension ConnectionHandler {
    /// Starts the connection's only timer, for the earliest deadline. It looks for the next deadline only when it fires.
    private func startTimer(for deadline: NIODeadline) {
        guard deadline < timerDeadline, let context else { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            self?.checkDeadlines()
        }
    }

    private func checkDeadlines() {
        guard let context else { return }
        timer = nil
        timerDeadline = .distantFuture
        switch machine.checkDeadlines(now: context.eventLoop.now) {
        case .idle: break
        case .check(let next): startTimer(for: next)
        case .close(let closing): finish(closing)
        }
    }

    private func finish(_ closing: ConnectionMachine<RedisRequest>.Closing?) {
        guard let closing else { return }
        timer?.cancel()
        for (request, error) in closing.failures { request.fail(error) }
        observer.closed(closing.reason)
        context?.close(promise: nil)
    }
}

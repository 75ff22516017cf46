import NIOCore
import Policies

/// One client connection of HTTP/1.1. It passes bytes to the machine, carries out its steps, and passes requests to the exchange.
///
/// While a request is being answered at most one more read is accepted, and none while earlier responses wait to be written. So a
/// client that sends faster than it is served, or does not read, has to wait. The extensions: `+Steps` carries out the machine's
/// steps, `+Output` writes, `+Ending` ends connections, `+Census` tells what they hold and lets them give way.
final class ServerConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let limits: ServerLimits
    let pools: LoopPools
    let timer: DeadlineTimer
    let slot: ConnectionSlot
    let exchange: Exchange
    var machine: ConnectionMachine
    var holdings = ConnectionHoldings()
    var answers = AnswerBuffer()
    var peer = ClientPeer.none
    /// The TLS below the connection, until it is closed; `nil` for plain text.
    var transport: TLSTransport?
    /// The context, until the connection is closed.
    var context: ChannelHandlerContext?
    /// The latest end of a connection that reads the rest of a body after a refusal.
    var absorbEnd = NIODeadline.distantFuture
    /// Whether the kernel may accept the usual amount of bytes from the client.
    private var isWide = false
    /// Whether the client of a tunnel has closed its half, and the upstream does not know it yet.
    var hasClientEnded = false
    private var waitsForTurn = false
    private var isReadPending = false
    private var isProcessing = false

    init(
        rules: LoopRules, limits: ServerLimits, pools: LoopPools, observer: any RequestObserver,
        ids: IdentifierSource, slot: ConnectionSlot, eventLoop: any EventLoop, transport: TLSTransport? = nil
    ) {
        self.limits = limits
        self.transport = transport
        self.pools = pools
        self.slot = slot
        timer = DeadlineTimer(eventLoop: eventLoop)
        machine = ConnectionMachine(limits: limits)
        exchange = Exchange(
            ExchangeContext(
                rules: rules, observer: observer,
                bodyLimits: BodyLimits(pieceSeconds: limits.bodySeconds, wholeSeconds: limits.wholeBodySeconds),
                pools: pools, eventLoop: eventLoop, timer: timer),
            ids: ids)
    }

    /// Whether the client has accepted enough of the written bytes that there is room for another response. Bytes that the kernel
    /// has not accepted count.
    var takesAnswers: Bool { context?.channel.isWritable ?? false }

    /// How long it may be idle now.
    var idleSeconds: Int64 { slot.census.idleSeconds(longest: limits.idleSeconds) }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer =
            transport?.peer ?? context.remoteAddress.flatMap(PeerAddress.init).map { ClientPeer(address: $0.address) }
            ?? .none
        if transport != nil { holdings.addFixed(MemoryBudget.tlsBytes) }
        exchange.attach(to: self)
        exchange.connectedAt = pools.stalls.beginning { SocketQueue.silentMilliseconds(context.channel) }
        timer.onExpiry = { self.deadlineDidPass() }
        pools.census.add(self)
        timer.set(seconds: limits.expectsProxyHeader ? limits.headSeconds : idleSeconds)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        // Comes first, since after a stall the loop handles sockets before timers.
        pools.stalls.note()
        pools.census.didRead(bytes.readableBytes, from: self)
        guard machine.receive(transport?.taken(bytes) ?? bytes) else { return abort() }
        process()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The loop handles each socket once before it returns to the same one.
        if !waitsForTurn { machine.beginTurn() }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if takesInput { context.read() } else { isReadPending = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if exchange.isProxying {
            exchange.clientWritabilityDidChange(context.channel.isWritable)
        } else if takesAnswers {
            process()
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed = event as? ChannelEvent { clientDidEndSending() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private var takesInput: Bool {
        !waitsForTurn && machine.takesInput(exchange.bodyDemand, takesAnswers: takesAnswers)
    }

    // MARK: Work

    /// Processes the bytes read, as far as possible and for one turn.
    func process() {
        guard !isProcessing else { return }
        isProcessing = true
        if !waitsForTurn { work() }
        widenForBody()
        exchange.bodyDidPause()
        if hasClientEnded { passOnEnd() }
        if answers.hasGathered { flush() }
        isProcessing = false
        machine.releaseEmptyBuffer()
        pools.census.didProgress(self)
        if isReadPending, takesInput {
            isReadPending = false
            context?.read()
        }
    }

    /// Lets the kernel accept more of a body that is being read.
    private func widenForBody() {
        guard !isWide, let context, machine.isAbsorbing || machine.awaitsBody(exchange.bodyDemand) else { return }
        isWide = true
        ReceiveBufferSize.widen(context.channel)
    }

    private func work() {
        var mayGoOn = true
        do throws(HTTPViolation) {
            while mayGoOn, !machine.isTurnOver { mayGoOn = try step() }
        } catch {
            mayGoOn = false
            refuse(error)
        }
        guard machine.isTurnOver, mayGoOn || machine.hasInbound else { return }
        waitsForTurn = true
        pools.turnQueue.add(self)
    }
}

extension ServerConnection: TurnTaker {
    func takeTurn() {
        waitsForTurn = false
        machine.beginTurn()
        process()
    }
}

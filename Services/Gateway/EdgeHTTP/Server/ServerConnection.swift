import NIOCore
import Policies

/// One client connection of HTTP/1.1: feeds what comes to the machine, carries out its steps, hands requests to the exchange.
///
/// While a request is being answered at most one more read is taken in, and none while earlier answers wait to be written:
/// then a client that sends faster than it is served, or does not read, waits. The facets: `+Steps` carries out what the
/// machine decides, `+Output` writes, `+Ending` ends connections, `+Holdings` tells what one holds and gives its place up.
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
    /// Until the connection is over; nil for one in plain text.
    var transport: TLSTransport?
    /// Until the connection is over.
    var context: ChannelHandlerContext?
    /// The latest end of a connection that reads the rest of a body after a refusal.
    var absorbEnd = NIODeadline.distantFuture
    /// Whether the kernel may take as much as usual of what the client sends.
    private var isWide = false
    private var waitsForTurn = false
    private var isReadPending = false
    private var isProcessing = false

    init(
        router: any RequestRouter, limits: ServerLimits, pools: LoopPools, observer: any RequestObserver,
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
                router: router, observer: observer,
                bodyLimits: BodyLimits(pieceSeconds: limits.bodySeconds, wholeSeconds: limits.wholeBodySeconds),
                pools: pools, eventLoop: eventLoop, timer: timer),
            ids: ids)
    }

    /// Whether the client has taken so much of what was written that there is room for another answer; what the kernel does
    /// not take counts.
    var takesAnswers: Bool { context?.channel.isWritable ?? false }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer =
            transport?.peer ?? context.remoteAddress.flatMap(PeerAddress.init).map { ClientPeer(address: $0.address) }
            ?? .none
        if transport != nil { holdings.addFixed(TLSBuffers.fixedBytes) }
        exchange.attach(to: self)
        timer.onExpiry = { self.deadlineDidPass() }
        pools.holdings.add(self)
        timer.set(seconds: limits.expectsProxyHeader ? limits.headSeconds : slot.connections.idleSeconds)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        didRead(bytes.readableBytes)
        guard machine.receive(transport?.taken(bytes) ?? bytes) else { return abort() }
        process()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The loop looks at each socket once before it comes to the same again.
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

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private var takesInput: Bool {
        !waitsForTurn && machine.takesInput(exchange.bodyDemand, takesAnswers: takesAnswers)
    }

    // MARK: Work

    /// Works off what has been read, as far as it goes and for one turn.
    func process() {
        guard !isProcessing else { return }
        isProcessing = true
        if !waitsForTurn { work() }
        widenForBody()
        exchange.bodyDidPause()
        if answers.hasGathered { flush() }
        isProcessing = false
        machine.releaseEmptyBuffer()
        noteStanding()
        noteHoldings()
        if isReadPending, takesInput {
            isReadPending = false
            context?.read()
        }
    }

    /// Lets the kernel take more of a body that is being read.
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

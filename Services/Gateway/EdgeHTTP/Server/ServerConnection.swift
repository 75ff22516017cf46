internal import NIOCore
internal import Policies

/// One client connection: reads requests one at a time, has each decided, and writes the answer.
///
/// While a request is being answered at most one more read is taken in, and none while earlier answers wait to be written:
/// then a client that sends faster than it is served, or does not read, waits. The facets: `+Request` begins requests, `+Body`
/// reads their bodies, `+Answer` answers, `+Proxy` is what a proxied exchange needs, `+Ending` ends connections, `+Holdings`
/// tells what one holds, `+Rate` how fast its client has to be, `+Slot` how it gives its place up.
final class ServerConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// How far the request is; one at a time.
    enum Phase {
        /// Before the first request: who the client is has to be said.
        case preface
        /// Between requests, or in the midst of a head.
        case idle
        /// Something is asked before the request is decided.
        case deciding
        case collecting(ByteBuffer, bytesMax: Int, handler: @Sendable (EndpointRequest) async -> Reply)
        /// An endpoint's handler is at work.
        case handling
        case proxying(ProxyExchange, bodyBytesLeft: Int)
        /// Answered; the rest of the body is read and dropped.
        case discarding(bytesLeft: Int)
        /// Our half is closed; what comes is dropped until the client ends its half.
        case lingering(bytesLeft: Int)
        case closed
    }

    /// The request that is being served.
    struct Current {
        let head: RequestHead
        let id: RequestID
        let startedAt = NIODeadline.now()
        var route = RouteLabel.other
        /// What every answer bears beside its own fields.
        var answerLines: [UInt8] = []
        /// Of the answer; 0 until it has begun.
        var status = 0
    }

    let router: any RequestRouter
    let limits: ServerLimits
    let pools: LoopPools
    let observer: any RequestObserver
    let timer: DeadlineTimer
    let slot: ConnectionSlot
    var holdings = ConnectionHoldings()
    var ids: IdentifierSource
    var context: ChannelHandlerContext?
    var phase = Phase.idle
    var current: Current?
    /// What is left of the body of the request.
    var body = BodyDecoder(.none)
    var inbound = ByteBuffer()
    /// Answers of our own that go out together.
    var gathered = ByteBuffer()
    var parser: RequestHeadParser
    /// Whether the connection ends after the request.
    var closesAfter = false
    var isDraining = false
    var peer = ClientPeer.none
    var turn = Turn()
    /// More than we ever ask for; only from a client that has ended its half does the loop read all at once.
    private static let inboundBytesMax = 1 << 20
    private var waitsForTurn = false
    private var isReadPending = false
    private var isProcessing = false

    init(
        router: any RequestRouter, limits: ServerLimits, pools: LoopPools, observer: any RequestObserver,
        ids: IdentifierSource, slot: ConnectionSlot, eventLoop: any EventLoop
    ) {
        self.router = router
        self.limits = limits
        self.pools = pools
        self.observer = observer
        self.ids = ids
        self.slot = slot
        parser = RequestHeadParser(limits: limits.head)
        timer = DeadlineTimer(eventLoop: eventLoop)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer = context.remoteAddress.flatMap(PeerAddress.init).map { ClientPeer(address: $0.address) } ?? .none
        timer.onExpiry = { self.deadlineDidPass() }
        pools.holdings.add(self)
        if limits.expectsProxyHeader { phase = .preface }
        timer.set(seconds: limits.expectsProxyHeader ? limits.headSeconds : slot.connections.idleSeconds)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        didRead(data.readableBytes)
        if inbound.readableBytes == 0 { inbound = data } else { inbound.writeBuffer(&data) }
        guard inbound.readableBytes <= Self.inboundBytesMax else { return abort() }
        process()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The loop looks at each socket once before it comes to the same again.
        if !waitsForTurn { turn.begin() }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if takesInput { context.read() } else { isReadPending = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .proxying(let exchange, _) = phase {
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

    /// Whether more bytes from the client are of use now.
    private var takesInput: Bool {
        guard !waitsForTurn else { return false }
        return switch phase {
        case .preface, .collecting, .discarding, .lingering: true
        case .idle: takesAnswers
        // One read ahead: to stop and to start reading costs the kernel a call each.
        case .deciding, .handling: inbound.readableBytes == 0
        case .proxying(let exchange, _): body.isDone ? inbound.readableBytes == 0 : exchange.takesBody
        case .closed: false
        }
    }

    /// Works off what has been read, as far as it goes and for one turn.
    func process() {
        guard !isProcessing else { return }
        isProcessing = true
        if !waitsForTurn { work() }
        pause()
        isProcessing = false
        // A connection at rest holds no buffer.
        if inbound.readableBytes == 0 { inbound = ByteBuffer() }
        noteStanding()
        noteHoldings()
        if isReadPending, takesInput {
            isReadPending = false
            context?.read()
        }
    }

    /// The connection's next turn has come.
    func takeTurn() {
        waitsForTurn = false
        turn.begin()
        process()
    }

    private func work() {
        var mayGoOn = true
        do throws(HTTPViolation) {
            while mayGoOn, !turn.isOver { mayGoOn = try advance() }
        } catch {
            mayGoOn = false
            refuse(error)
        }
        // A step may be left though nothing is left to read: a request without a body has still to be handed on.
        guard turn.isOver, mayGoOn || inbound.readableBytes > 0 else { return }
        waitsForTurn = true
        pools.turnQueue.add(self)
    }

    /// Sends on what has been gathered on either side; more may follow later.
    private func pause() {
        if case .proxying(let exchange, _) = phase { exchange.requestDidPause() }
        if gathered.readableBytes > 0 { flush() }
    }

    /// Takes one step; false when there is nothing to do now.
    private func advance() throws(HTTPViolation) -> Bool {
        switch phase {
        case .preface: return readProxyHeader()
        case .idle: return hasRoomForAnswer() ? try readHead() : false
        case .collecting(let bytes, let bytesMax, let handler):
            return try collect(bytes, bytesMax: bytesMax, handler: handler)
        case .proxying(let exchange, let bytesLeft): return try proxyBody(to: exchange, bytesLeft: bytesLeft)
        case .discarding(let bytesLeft): return try discard(bytesLeft: bytesLeft)
        case .lingering(let bytesLeft): return dropInbound(bytesLeft: bytesLeft)
        case .deciding, .handling, .closed: return false
        }
    }
}

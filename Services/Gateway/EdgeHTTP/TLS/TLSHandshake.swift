import NIOCore
import NIOSSL
import NIOTLS

/// A connection of the TLS listener before its first request: reads a PROXY header if one comes, waits for a turn, shakes
/// hands, and gives its place to a `ServerConnection`.
///
/// A ClientHello costs more than a dozen requests, so hellos are answered a few at a time (`TurnQueue`), and all others have
/// their turn between. Until a hello is answered there is nothing but the bytes that have come; from then on the handshake
/// counts among those under way, of which there are only so many (`HandshakesUnderWay`). Nothing here runs once for each
/// request.
final class TLSHandshake: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    enum Stage {
        /// Before the first byte of a hello.
        case silent
        /// A hello has begun and waits for its turn.
        case waiting
        case shaking
        case over
    }

    /// More of a hello is not read before its turn.
    static let helloBytesMax = 32 * 1024
    /// What every TLS record of a handshake begins with (RFC 8446 section 5.1).
    private static let handshakeRecord: UInt8 = 22

    let service: TLSService
    let pools: LoopPools
    let slot: ConnectionSlot
    var holdings = ConnectionHoldings()
    /// Until it is over.
    private(set) var context: ChannelHandlerContext?
    private(set) var stage = Stage.silent
    private var peer = ClientPeer.none
    private let timer: DeadlineTimer
    private var awaitsProxyHeader: Bool
    private var received = ByteBuffer()
    private var encryption: NIOSSLServerHandler?
    private var isReadPending = false

    init(service: TLSService, pools: LoopPools, slot: ConnectionSlot, eventLoop: any EventLoop) {
        self.service = service
        self.pools = pools
        self.slot = slot
        timer = DeadlineTimer(eventLoop: eventLoop)
        awaitsProxyHeader = service.limits.expectsProxyHeader
    }

    /// Whether it counts among those under way.
    var isShaking: Bool { stage == .shaking }
    /// Memory that it takes beside what every connection does.
    var heldBytes: Int { received.storageCapacity + (isShaking ? TLSBuffers.handshakeBytes : 0) }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if let address = context.remoteAddress.flatMap(PeerAddress.init)?.address {
            peer = ClientPeer(address: address, scheme: .https)
        }
        timer.onExpiry = { self.end(.timeout) }
        timer.set(seconds: service.limits.headSeconds)
        pools.holdings.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // From the hello's turn on the encrypting handler comes first, and passes nothing on before the end.
        guard stage == .silent || stage == .waiting else { return }
        var bytes = unwrapInboundIn(data)
        holdings.didRead(bytes.readableBytes)
        received.writeBuffer(&bytes)
        if stage == .silent { judgeBeginning() }
        noteHoldings()
    }

    func read(context: ChannelHandlerContext) {
        if stage == .waiting, received.readableBytes >= Self.helloBytesMax { isReadPending = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        complete(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The encrypting handler has said farewell, and closes the connection when this returns.
        settle(error is NIOSSLError && context.channel.isActive ? .refused : .left)
    }

    func channelInactive(context: ChannelHandlerContext) {
        settle(.left)
        context.fireChannelInactive()
    }

    // MARK: The beginning

    private func judgeBeginning() {
        if awaitsProxyHeader, !learn() { return }
        guard let first = received.readableBytesView.first else { return }
        guard first == Self.handshakeRecord else { return refusePlainText() }
        stage = .waiting
        noteStanding()
        pools.turnQueue.add(self)
    }

    /// Learns from the proxy in front who the client is; false when that is not known yet, or the connection has ended.
    private func learn() -> Bool {
        guard service.limits.isShared(peer.address) else { return drop() }
        switch ProxyHeader.read(from: &received) {
        case .incomplete: return false
        case .malformed: return drop()
        case .local: break
        case .client(let address):
            guard slot.connections.assign(slot.id, to: address) else { return drop() }
            peer = ClientPeer(address: address, scheme: .https)
        }
        awaitsProxyHeader = false
        return true
    }

    /// Ends without an answer who comes past the proxy, or is one too many; returns false.
    private func drop() -> Bool {
        leave()?.close(promise: nil)
        return false
    }

    /// Whoever speaks plain HTTP here is told so; whatever else it is ends without an answer.
    private func refusePlainText() {
        let isHTTP = received.readableBytesView.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
        if isHTTP, let context { context.writeAndFlush(wrapOutboundOut(service.plainTextAnswer()), promise: nil) }
        end(.notTLS)
    }

    /// The hello's turn has come: the encrypting handler takes what has been read, and all that follows.
    private func shake() {
        guard let context, stage == .waiting else { return }
        stage = .shaking
        pools.handshakes.add(self, countMax: service.handshakesMax)
        let handler = NIOSSLServerHandler(
            context: service.certificates.context, configuration: TLSService.handlerConfiguration)
        let pipeline = context.pipeline.syncOperations
        do { try pipeline.addHandler(handler, position: .before(self)) } catch { return end(.left) }
        encryption = handler
        let hello = received
        received = ByteBuffer()
        noteHoldings()
        pipeline.fireChannelRead(NIOAny(hello))
        pipeline.fireChannelReadComplete()
        if isReadPending, stage == .shaking {
            isReadPending = false
            context.read()
        }
    }

    // MARK: The end

    /// Hands are shaken: a connection like any other takes the place.
    private func complete(_ context: ChannelHandlerContext) {
        guard stage == .shaking, let encryption else { return }
        let pipeline = context.pipeline.syncOperations
        do {
            let transport = TLSTransport(context: try pipeline.context(handler: encryption), peer: peer)
            let connection = service.connection(slot, pools, context.eventLoop, transport)
            settle(.ok)
            try pipeline.addHandler(connection, position: .after(self))
            slot.connections.add(connection, at: slot.id, of: context.channel)
        } catch {
            context.close(promise: nil)
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Ends the connection at once.
    private func end(_ result: HandshakeResult) {
        let closing = settle(result)
        // Past the encrypting handler, which would wait for the client's farewell.
        closing?.close(promise: nil)
    }

    /// Counts how it has ended, once; a connection on which no hello has begun was none.
    @discardableResult
    private func settle(_ result: HandshakeResult) -> ChannelHandlerContext? {
        let hasBegun = stage == .waiting || stage == .shaking || result == .notTLS
        if hasBegun, context != nil { service.metrics.count(result) }
        return leave()
    }

    /// Gives up its places; returns the way to the socket when it had not ended before.
    @discardableResult
    private func leave() -> ChannelHandlerContext? {
        guard let context else { return nil }
        let below = encryption.flatMap { socketContext(below: $0, in: context) } ?? context
        let wasShaking = isShaking
        stage = .over
        if wasShaking { pools.handshakes.didEnd() }
        pools.holdings.remove(self)
        timer.end()
        encryption = nil
        received = ByteBuffer()
        self.context = nil
        return below
    }

    private func socketContext(below handler: NIOSSLServerHandler, in context: ChannelHandlerContext)
        -> ChannelHandlerContext?
    {
        // It is in the pipeline as long as this is; a pipeline that is being torn down closes by itself.
        do { return try context.pipeline.syncOperations.context(handler: handler) } catch { return nil }
    }
}

extension TLSHandshake: TurnTaker {
    func takeTurn() { shake() }
}

/// What a handshake holds, and how it gives its place up for others.
extension TLSHandshake: HeldConnection, SlotHolder {
    /// Nobody who is still to shake hands is of more use than one whose request is whole.
    var rank: ConnectionStanding.Rank { stage == .silent || stage == .over ? .resting : .unfinished }

    private func noteStanding() { slot.standing.note(.init(rank, milliseconds: CoarseClock.milliseconds())) }

    func noteHoldings() {
        guard holdings.position != nil else { return }
        let delta = holdings.count(heldBytes, on: context?.channel, upstream: nil)
        if delta != 0 { pools.holdings.change(by: delta) }
    }

    func look(isShort: Bool) {
        guard let channel = context?.channel else { return }
        holdings.look(at: channel, upstream: nil, isShort: isShort)
        noteHoldings()
    }

    /// The time that a handshake may take is the bound, however little comes.
    func judgeRate() {}

    func shed() { end(.crowded) }

    func giveUpSlot(chosenAs chosen: ConnectionStanding.Rank) {
        guard rank.rawValue <= chosen.rawValue else { return slot.connections.keep(slot.id) }
        end(.crowded)
    }

    /// One that has begun may end, and bring a request; the others have no more to wait for.
    func drain() {
        if stage == .silent { timer.set(seconds: service.limits.drainIdleSeconds) }
    }

    /// Ends for one that comes later.
    func giveWay() { end(.crowded) }
}

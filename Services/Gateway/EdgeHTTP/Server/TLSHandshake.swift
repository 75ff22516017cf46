import NIOCore
import NIOSSL
import NIOTLS
import Policies
import TLSPairs

/// A connection of the TLS listener before its first request. It reads a PROXY header if one is expected, waits for a turn, makes
/// the handshake, and passes its place to a `ServerConnection`.
///
/// A ClientHello costs more than a dozen requests. So a few are answered at a time (`TurnQueue`), and all other connections have
/// their turn in between. Before its turn a connection holds nothing but the bytes received. From then on the handshake is one of
/// those under way, whose number is limited (`HandshakesUnderWay`). Nothing here runs once for each request. `+Ending` ends it.
final class TLSHandshake: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    enum Stage: Equatable {
        /// No byte of a ClientHello has arrived.
        case silent
        /// A ClientHello has begun and waits for its turn.
        case waiting
        case shaking
        /// The response to plain HTTP is sent. All bytes are discarded until the client closes its half.
        case lingering(bytesLeft: Int)
        case over
    }

    /// The bytes of a ClientHello that are read before its turn.
    static let helloBytesMax = 32 * 1024
    /// The first byte of every TLS record of a handshake (RFC 8446 section 5.1).
    private static let handshakeRecord: UInt8 = 22

    let service: TLSService
    let limits: ServerLimits
    let pools: LoopPools
    let slot: ConnectionSlot
    let timer: DeadlineTimer
    var holdings = ConnectionHoldings()
    /// The context, until the handshake is over.
    var context: ChannelHandlerContext?
    var stage = Stage.silent
    private(set) var peer = ClientPeer.none
    var received = ByteBuffer()
    var encryption: NIOSSLServerHandler?
    /// The certificate that the client sees; `nil` until it is chosen.
    private(set) var presented: TLSPair?
    /// Whether it answers an authority's challenge, and serves no request.
    private var isChallenge = false
    private var awaitsProxyHeader: Bool
    private var isReadPending = false

    init(
        service: TLSService, limits: ServerLimits, pools: LoopPools, slot: ConnectionSlot, eventLoop: any EventLoop
    ) {
        self.service = service
        self.limits = limits
        self.pools = pools
        self.slot = slot
        timer = DeadlineTimer(eventLoop: eventLoop)
        awaitsProxyHeader = limits.expectsProxyHeader
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if let address = context.remoteAddress.flatMap(PeerAddress.init)?.address {
            peer = ClientPeer(address: address, scheme: .https)
        }
        timer.onExpiry = { self.end(.timeout) }
        timer.set(seconds: limits.headSeconds)
        pools.census.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        pools.census.didRead(bytes.readableBytes, from: self)
        switch stage {
        case .silent:
            received.writeBuffer(&bytes)
            judgeBeginning()
        case .waiting: received.writeBuffer(&bytes)
        case .lingering(let left):
            stage = .lingering(bytesLeft: left - bytes.readableBytes)
            if left < bytes.readableBytes { end(.notTLS) }
        // From its turn on the encrypting handler comes first, and passes nothing on before the end.
        case .shaking, .over: return
        }
        pools.census.didProgress(self)
    }

    func read(context: ChannelHandlerContext) {
        if stage == .waiting, received.readableBytes >= Self.helloBytesMax {
            isReadPending = true
        } else {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let chosen)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard isChallenge else { return complete(context, usesHTTP2: chosen == TLSCertificates.http2Protocol) }
        // The authority has seen the certificate, and sends no request.
        settle(.ok)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The encrypting handler has sent its alert, and closes the connection when this returns.
        settle(error is NIOSSLError && context.channel.isActive ? .refused : .left)
    }

    func channelInactive(context: ChannelHandlerContext) {
        settle(.left)
        context.fireChannelInactive()
    }

    // MARK: The handshake

    private func judgeBeginning() {
        if awaitsProxyHeader, !learn() { return }
        guard let first = received.readableBytesView.first else { return }
        guard first == Self.handshakeRecord else { return refuse(beginningWith: first) }
        guard hasRecord || !service.certificates.answersChallenges else { return }
        stage = .waiting
        pools.turnQueue.add(self)
    }

    /// Whether the first record has arrived, whose length follows its type and version (RFC 8446 section 5.1).
    private var hasRecord: Bool {
        let length = received.getInteger(at: received.readerIndex + 3, as: UInt16.self)
        return length.map { received.readableBytes >= min(5 + Int($0), Self.helloBytesMax) } ?? false
    }

    /// Learns the client from the proxy in front, or returns `false` if it is not known yet or the connection has ended.
    private func learn() -> Bool {
        guard limits.isShared(peer.address) else { return drop(.untrustedPeer) }
        switch ProxyHeader.read(from: &received) {
        case .incomplete: return false
        case .malformed: return drop(.badProxyHeader)
        case .local: peer = peer.asClient
        case .client(let address):
            guard slot.census.assign(slot, to: address, limits) else { return drop() }
            peer = ClientPeer(address: address, scheme: .https)
        }
        awaitsProxyHeader = false
        return true
    }

    /// Closes, without a response, the connection of a client that bypasses the proxy or has too many; returns `false`.
    private func drop(_ violation: HTTPViolation? = nil) -> Bool {
        if let violation { service.note(violation) }
        leave()?.close(promise: nil)
        return false
    }

    /// Starts the handshake when its turn has come. The encrypting handler receives the bytes read so far, and all that follow.
    private func shake() {
        guard let context, stage == .waiting else { return }
        guard let next = service.certificates.next(for: received) else { return end(.refused) }
        stage = .shaking
        isChallenge = next.isChallenge
        pools.census.handshakes.add(self, of: scope, countMax: service.handshakesMax)
        // Every handshake needs this memory. A client that uses no more is not the first to be closed when memory is short.
        holdings.addFixed(MemoryBudget.tlsBytes)
        let handler = NIOSSLServerHandler(context: next.context)
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(handler, position: .before(self))
            if next.http2 { try learnName(among: next.pairs, pipeline, before: handler) }
        } catch {
            return end(.left)
        }
        encryption = handler
        let hello = received
        received = ByteBuffer()
        pools.census.didProgress(self)
        pipeline.fireChannelRead(NIOAny(hello))
        pipeline.fireChannelReadComplete()
        if isReadPending, stage == .shaking {
            isReadPending = false
            context.read()
        }
    }

    /// Learns which of several certificates the client sees, because HTTP/2 uses the connection for all hosts that it covers.
    private func learnName(
        among pairs: [TLSPair], _ pipeline: ChannelPipeline.SynchronousOperations,
        before encryption: NIOSSLServerHandler
    ) throws {
        guard pairs.count > 1 else {
            presented = pairs.first
            return
        }
        let eventLoop = pipeline.eventLoop
        let reader = SNIHandler { result in
            let name: String? = if case .hostname(let name) = result { name } else { nil }
            self.presented = CertificateChoice.index(of: name, among: pairs).map { pairs[$0] }
            return eventLoop.makeSucceededVoidFuture()
        }
        try pipeline.addHandler(ByteToMessageHandler(reader), position: .before(encryption))
    }

    /// Replaces the completed handshake by a connection like any other.
    private func complete(_ context: ChannelHandlerContext, usesHTTP2: Bool) {
        guard stage == .shaking, let encryption else { return }
        let pipeline = context.pipeline.syncOperations
        do {
            let transport = TLSTransport(context: try pipeline.context(handler: encryption), peer: peer)
            if usesHTTP2 {
                let connection = service.http2Connection(self, context.eventLoop, transport)
                settle(.ok)
                try connection.add(to: pipeline, after: self)
                slot.census.add(connection)
            } else {
                let connection = service.connection(self, context.eventLoop, transport)
                settle(.ok)
                try pipeline.addHandler(connection, position: .after(self))
                slot.census.add(connection)
            }
        } catch {
            context.close(promise: nil)
        }
        pipeline.removeHandler(self, promise: nil)
    }
}

extension TLSHandshake: TurnTaker {
    func takeTurn() { shake() }
}

import NIOCore
import NIOSSL
import Policies

/// How a handshake ends.
extension TLSHandshake {
    /// Answers plain HTTP and a second PROXY header with 400; anything else is closed without a response.
    func refuse(beginningWith first: UInt8) {
        let isSecondHeader = service.limits.expectsProxyHeader && first == UInt8(ascii: "\r")
        let isText = isSecondHeader || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        guard isText, let context else { return end(.notTLS) }
        stage = .lingering(bytesLeft: service.limits.lingerBytesMax)
        received = ByteBuffer()
        timer.onExpiry = { self.end(.notTLS) }
        timer.set(seconds: service.limits.lingerSeconds)
        context.writeAndFlush(wrapOutboundOut(service.plainTextAnswer()), promise: nil)
        // Our half alone: a full close would answer bytes that are still under way with a reset, and the client lose the answer.
        context.close(mode: .output, promise: nil)
    }

    /// Ends the connection at once.
    func end(_ result: HandshakeResult) {
        let closing = settle(result)
        // Past the encrypting handler, which would wait for the client's close_notify.
        closing?.close(promise: nil)
    }

    /// Counts how it has ended, once; a connection on which no ClientHello has begun was no handshake.
    @discardableResult
    func settle(_ result: HandshakeResult) -> ChannelHandlerContext? {
        switch stage {
        case .lingering: service.metrics.count(.notTLS)
        case .silent where result == .notTLS: service.metrics.count(result)
        case .waiting, .shaking: service.metrics.count(result)
        case .silent, .over: break
        }
        return leave()
    }

    /// Gives up its places; returns the way to the socket when it had not ended before.
    @discardableResult
    func leave() -> ChannelHandlerContext? {
        guard let context else { return nil }
        let below = encryption.flatMap { socketContext(below: $0, in: context) } ?? context
        let wasUnderWay = isUnderWay
        stage = .over
        if wasUnderWay { pools.handshakes.didEnd(of: scope) }
        pools.holdings.remove(self)
        timer.end()
        encryption = nil
        received = ByteBuffer()
        self.context = nil
        return below
    }

    private func socketContext(
        below handler: NIOSSLServerHandler, in context: ChannelHandlerContext
    ) -> ChannelHandlerContext? {
        // It is in the pipeline as long as this is; a pipeline that is being torn down closes by itself.
        do { return try context.pipeline.syncOperations.context(handler: handler) } catch { return nil }
    }
}

/// Counts among the handshakes under way.
extension TLSHandshake: PendingHandshake {
    var isUnderWay: Bool { stage == .shaking }
    func giveWay() { end(.crowded) }

    /// Whose handshakes are counted together; nil: of a proxy that announces nobody.
    var scope: LimitScope? { service.limits.isShared(peer.address) ? nil : peer.address.limitScopes.first }
}

/// What it holds, and how it gives its place up for others.
extension TLSHandshake: HeldConnection, SlotHolder {
    /// A request that is not whole is worth as much as a handshake that is not.
    var rank: ConnectionStanding.Rank { stage == .waiting || stage == .shaking ? .unfinished : .resting }

    func noteStanding() { slot.standing.note(.init(rank, milliseconds: CoarseClock.milliseconds())) }

    func noteHoldings() {
        guard holdings.position != nil else { return }
        let delta = holdings.count(received.storageCapacity, on: context?.channel, upstream: nil)
        if delta != 0 { pools.holdings.change(by: delta) }
    }

    func look(isShort: Bool) {
        guard let channel = context?.channel else { return }
        holdings.look(at: channel, upstream: nil, isShort: isShort)
        noteHoldings()
    }

    /// The time that a handshake may take is the bound, however little comes.
    func judgeRate() {}

    /// It has as long as it takes to shake hands, and uses what it holds.
    func rest() {}

    func shed() { end(.crowded) }

    func giveUpSlot(chosenAs chosen: ConnectionStanding.Rank) {
        // After the handshake the slot is the connection's that came of it.
        guard stage != .over, rank.rawValue <= chosen.rawValue else { return slot.connections.keep(slot.id) }
        end(.crowded)
    }

    func abort() { end(.left) }

    /// One that has begun may end, and bring a request; the others have no more to wait for.
    func drain() {
        if stage == .silent { timer.set(seconds: service.limits.drainIdleSeconds) }
    }
}

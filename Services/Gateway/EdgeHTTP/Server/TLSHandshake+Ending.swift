import NIOCore
import NIOSSL
import Policies

/// The end of a handshake.
extension TLSHandshake {
    /// Responds to plain HTTP and a second PROXY header with 400. Any other connection is closed without a response.
    func refuse(beginningWith first: UInt8) {
        let isSecondHeader = limits.expectsProxyHeader && first == UInt8(ascii: "\r")
        let isText = isSecondHeader || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        guard isText, let context else { return end(.notTLS) }
        stage = .lingering(bytesLeft: limits.lingerBytesMax)
        received = ByteBuffer()
        timer.onExpiry = { self.end(.notTLS) }
        timer.set(seconds: limits.lingerSeconds)
        context.writeAndFlush(wrapOutboundOut(service.plainTextAnswer()), promise: nil)
        // Only our half is closed. A full close would answer bytes that are still on their way with a reset, and the client would
        // lose the response.
        context.close(mode: .output, promise: nil)
    }

    /// Ends the connection at once.
    func end(_ result: HandshakeResult) {
        let closing = settle(result)
        // The close bypasses the encrypting handler, which would wait for the client's close_notify.
        closing?.close(promise: nil)
    }

    /// Counts the result, once. A connection on which no ClientHello has begun was no handshake.
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

    /// Releases its places, and returns the context to close the socket with, or `nil` if it had ended before.
    @discardableResult
    func leave() -> ChannelHandlerContext? {
        guard let context else { return nil }
        let below = encryption.flatMap { socketContext(below: $0, in: context) } ?? context
        let wasUnderWay = stage == .shaking
        stage = .over
        if wasUnderWay { pools.census.handshakes.remove(self) }
        pools.census.remove(self)
        timer.end()
        encryption = nil
        received = ByteBuffer()
        self.context = nil
        return below
    }

    private func socketContext(
        below handler: NIOSSLServerHandler, in context: ChannelHandlerContext
    ) -> ChannelHandlerContext? {
        // The handler is in the pipeline as long as this one is; a pipeline that is being removed closes the connection itself.
        do { return try context.pipeline.syncOperations.context(handler: handler) } catch { return nil }
    }
}

/// The handshake in the census.
extension TLSHandshake: ClientConnection {
    /// The scope in which handshakes are counted together; `nil` for a proxy that announces no client.
    var scope: LimitScope? { limits.isShared(peer.address) ? nil : peer.address.limitScopes.first }

    /// An unfinished handshake has the same rank as an unfinished request.
    var rank: ConnectionRank { stage == .waiting || stage == .shaking ? .unfinished : .idle }
    var ownBytes: Int { received.storageCapacity }
    var upstreamChannel: (any Channel)? { nil }
    var sendsUpstream: Bool { false }

    /// Does nothing, since the time limit of a handshake is the bound, however few bytes arrive.
    func judgeRate() {}

    func giveWay() { end(.crowded) }

    func abort() { end(.left) }

    /// Shortens the deadline of a connection on which no handshake has begun. One that has begun may finish, and bring a request.
    func drain() {
        if stage == .silent { timer.set(seconds: limits.drainIdleSeconds) }
    }
}

import Glibc
import NIOCore
import NIOPosix
import ServiceKit

/// The opening of the server's sockets, and the setup of the accepted connections.
extension HTTPServer {
    static let backlog: Int32 = 4096
    /// The least and the greatest number of connections that are accepted at once. While thousands keep a loop busy, each of its
    /// rounds may take a while.
    private static let acceptsAtOnce = 4...16
    /// The bytes of a response that the kernel accepts before the client's window has room for them (`TCP_NOTSENT_LOWAT`, tcp(7)).
    /// Otherwise a thousand clients that read nothing would fill gigabytes. Bytes on their way do not count, so no client gets
    /// slower.
    private static let notSentBytesMax = 128 * 1024
    /// The bytes waiting for a client at which the upstream is no longer read.
    private static let writeWaterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 32 * 1024, high: 64 * 1024)

    func listen(
        at listener: EdgeListener, setting: String, _ bootstrap: ServerBootstrap
    ) async throws -> any Channel {
        guard let socket = listener.inheritedSocket else {
            let address = listener.address
            return try await ListenFailure.naming(setting, address) {
                try await bootstrap.bind(host: address.host, port: address.port).get()
            }
        }
        let channel = try await bootstrap.withBoundSocket(socket).get()
        try InheritedSockets.setBacklog(Self.backlog, of: socket)
        return channel
    }

    /// The number of connections that are accepted at once. With few slots it is the number kept free, since so many may come after
    /// the last one.
    private var acceptsAtOnce: UInt {
        let part = rules.latest.limits.connectionsMax / AcceptGate.sparePart
        return UInt(clamping: min(max(part, Self.acceptsAtOnce.lowerBound), Self.acceptsAtOnce.upperBound))
    }

    func bootstrap() -> ServerBootstrap {
        let gate = AcceptGate(census: census)
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: acceptsAtOnce)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(gate)
                    let buffers = NewConnectionBuffers(census, bytesMax: pools.bytesMax)
                    if let buffers { try pipeline.addHandler(buffers) }
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: Self.notSentBytesMax)
            .childChannelOption(.recvAllocator, value: ReceiveBuffers())
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.writeBufferWaterMark, value: Self.writeWaterMark)
    }

    func initializePlain(_ channel: any Channel) -> EventLoopFuture<Void> {
        let limits = rules.on(channel.eventLoop).current.limits
        guard let slot = census.admit(channel, limits) else { return channel.close() }
        ReceiveBufferSize.lockIfSmall(channel)
        return channel.eventLoop.makeCompletedFuture {
            let handler = connection(
                slot, pools: pools.pools(of: channel.eventLoop).value, eventLoop: channel.eventLoop, limits: limits)
            try channel.pipeline.syncOperations.addHandler(handler)
            census.add(handler)
        }
    }

    func initializeTLS(_ channel: any Channel, _ service: TLSService) -> EventLoopFuture<Void> {
        let limits = rules.on(channel.eventLoop).current.limits
        guard let slot = census.admit(channel, limits) else { return channel.close() }
        ReceiveBufferSize.lockIfSmall(channel)
        return channel.eventLoop.makeCompletedFuture {
            let handshake = TLSHandshake(
                service: service, limits: limits, pools: pools.pools(of: channel.eventLoop).value, slot: slot,
                eventLoop: channel.eventLoop)
            try channel.pipeline.syncOperations.addHandler(handshake)
            census.add(handshake)
        }
    }

    private func connection(
        _ slot: ConnectionSlot, pools: LoopPools, eventLoop: any EventLoop, limits: ServerLimits,
        transport: TLSTransport? = nil
    ) -> ServerConnection {
        var random = SystemRandomNumberGenerator()
        return ServerConnection(
            rules: rules.on(eventLoop), limits: limits, pools: pools, observer: observer,
            ids: IdentifierSource(seededFrom: &random), slot: slot, eventLoop: eventLoop, transport: transport)
    }

    func tlsService(_ certificates: TLSCertificates) -> TLSService {
        TLSService(
            certificates: certificates, connectionsMax: census.connectionsMax, loopCount: pools.count,
            plainTextAnswer: { plainTextAnswer() },
            note: { observer.requestWasRefused($0, method: nil, at: .other) },
            connection: { handshake, eventLoop, transport in
                // The PROXY header has arrived before the handshake.
                var limits = handshake.limits
                limits.expectsProxyHeader = false
                return connection(
                    handshake.slot, pools: handshake.pools, eventLoop: eventLoop, limits: limits, transport: transport)
            },
            http2Connection: { handshake, eventLoop, transport in
                var random = SystemRandomNumberGenerator()
                return HTTP2Connection(
                    rules: rules.on(eventLoop), limits: handshake.limits, pools: handshake.pools, observer: observer,
                    ids: IdentifierSource(seededFrom: &random), slot: handshake.slot, eventLoop: eventLoop,
                    transport: transport, presented: handshake.presented)
            })
    }

    /// Returns the response to a client that uses plain HTTP on the port for TLS.
    private func plainTextAnswer() -> ByteBuffer {
        observer.requestWasRefused(.tlsRequired, method: nil, at: .other)
        var random = SystemRandomNumberGenerator()
        var ids = IdentifierSource(seededFrom: &random)
        var buffer = ByteBuffer()
        ReplySerializer.write(
            rules.latest.router.refusal(.tlsRequired, at: .other), requestID: RequestID(from: &ids), isHEAD: false,
            keepsAlive: false, into: &buffer)
        return buffer
    }
}

import Glibc
package import Logging
package import NIOCore
package import NIOPosix
package import ServiceKit
import ServiceLifecycle

/// The public HTTP server: accepts connections until shutdown, then lets those that are served finish.
package struct HTTPServer: Service {
    static let backlog: Int32 = 4096
    /// Connections that are accepted at once, at least and at most: while thousands keep a loop busy, each of its rounds may
    /// take a while.
    private static let acceptsAtOnce = 4...16
    /// What the kernel takes of an answer before the client's window has room for it (`TCP_NOTSENT_LOWAT`, tcp(7)); a thousand
    /// clients that read nothing would else fill gigabytes. What is on its way does not count: nobody gets slower.
    private static let notSentBytesMax = 128 * 1024
    /// Bytes waiting to be written to a client at which the upstream is no longer read.
    private static let writeWaterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 32 * 1024, high: 64 * 1024)

    let address: ListenAddress
    /// A socket that listens already, handed over by a supervisor; then `address` is not bound.
    let inheritedSocket: NIOBSDSocket.Handle?
    let group: MultiThreadedEventLoopGroup
    let pools: EventLoopPools
    let router: any RequestRouter
    let limits: ServerLimits
    let observer: any RequestObserver
    /// Whether requests can be judged; until then connections wait in the listening socket's queue.
    let isReady: @Sendable () -> Bool
    let logger: Logger

    /// A server that begins to listen when it is run.
    package init(
        address: ListenAddress, inheritedSocket: NIOBSDSocket.Handle?, group: MultiThreadedEventLoopGroup,
        pools: EventLoopPools, router: any RequestRouter, limits: ServerLimits, observer: any RequestObserver,
        isReady: @escaping @Sendable () -> Bool, logger: Logger
    ) {
        self.address = address
        self.inheritedSocket = inheritedSocket
        self.group = group
        self.pools = pools
        self.router = router
        self.limits = limits
        self.observer = observer
        self.isReady = isReady
        self.logger = logger
    }

    /// How long the start waits for readiness: then those who ask are told that the service is unavailable.
    static let readinessWait: Duration = .seconds(3)

    /// Waits until requests can be judged, accepts connections until shutdown, then lets those that are served finish.
    package func run() async throws {
        try await waitUntilReady()
        let server = try await start()
        logger.info("edge.listening", metadata: ["address": "\(server.address.map { "\($0)" } ?? "?")"])
        // Cancelled: the way out is the same.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await server.stop(within: .seconds(limits.drainSeconds))
    }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + Self.readinessWait
        while !isReady(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Begins to accept connections.
    func start() async throws -> RunningServer {
        let connections = OpenConnections(limits: limits)
        let bootstrap = bootstrap(connections)
        let listener =
            if let inheritedSocket {
                try await bootstrap.withBoundSocket(inheritedSocket).get()
            } else {
                try await bootstrap.bind(host: address.host, port: address.port).get()
            }
        if let inheritedSocket { try InheritedSocket.setBacklog(Self.backlog, of: inheritedSocket) }
        return RunningServer(listener: listener, connections: connections)
    }

    /// No more than are kept free, where there are few slots: so many may come beyond the last one.
    private var acceptsAtOnce: UInt {
        let part = limits.connectionsMax / AcceptGate.sparePart
        return UInt(clamping: min(max(part, Self.acceptsAtOnce.lowerBound), Self.acceptsAtOnce.upperBound))
    }

    private func bootstrap(_ connections: OpenConnections) -> ServerBootstrap {
        let gate = AcceptGate(connections: connections)
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: acceptsAtOnce)
            .serverChannelInitializer { $0.pipeline.addHandler(gate) }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: Self.notSentBytesMax)
            .childChannelOption(.recvAllocator, value: ReceiveBuffers())
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.writeBufferWaterMark, value: Self.writeWaterMark)
            .childChannelInitializer { channel in
                guard let slot = connections.admit(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    var random = SystemRandomNumberGenerator()
                    let handler = ServerConnection(
                        router: router, limits: limits, pools: pools.pools(of: channel.eventLoop).value,
                        observer: observer, ids: IdentifierSource(seededFrom: &random), slot: slot,
                        eventLoop: channel.eventLoop)
                    try channel.pipeline.syncOperations.addHandler(handler)
                    connections.add(handler, of: channel)
                }
            }
    }
}

/// A server that accepts connections.
struct RunningServer: Sendable {
    fileprivate let listener: any Channel
    fileprivate let connections: OpenConnections

    /// Where it listens.
    var address: SocketAddress? { listener.localAddress }
    /// Connections that are open.
    var connectionCount: Int { connections.count }

    /// Accepts no more, and returns when all connections have ended, after `limit` at most.
    func stop(within limit: TimeAmount) async throws {
        do { try await listener.close() } catch ChannelError.alreadyClosed {}
        await connections.drain(within: limit)
    }
}

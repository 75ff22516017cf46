package import Logging
import NIOCore
package import NIOPosix
import ServiceKit
import ServiceLifecycle

/// The public HTTP server: accepts connections until shutdown, then lets those that are served finish.
package struct HTTPServer: Service {
    /// Nil: plain HTTP is not served.
    let plain: EdgeListener?
    /// Nil: TLS is not spoken.
    let tls: TLSListener?
    let group: MultiThreadedEventLoopGroup
    let pools: EventLoopPools
    let router: any RequestRouter
    let limits: ServerLimits
    let observer: any RequestObserver
    /// Whether requests can be judged; until then connections wait in the listening socket's queue.
    let isReady: @Sendable () -> Bool
    /// Set when the server stops.
    let draining: DrainFlag
    let logger: Logger

    /// A server that begins to listen when it is run.
    package init(
        plain: EdgeListener?, tls: TLSListener? = nil, group: MultiThreadedEventLoopGroup, pools: EventLoopPools,
        router: any RequestRouter, limits: ServerLimits, observer: any RequestObserver,
        isReady: @escaping @Sendable () -> Bool, draining: DrainFlag = DrainFlag(), logger: Logger
    ) {
        self.plain = plain
        self.tls = tls
        self.group = group
        self.pools = pools
        self.router = router
        self.limits = limits
        self.observer = observer
        self.isReady = isReady
        self.draining = draining
        self.logger = logger
    }

    /// How long the start waits for readiness: then those who ask are told that the service is unavailable.
    static let readinessWait: Duration = .seconds(3)

    /// Waits until requests can be judged, accepts connections until shutdown, then lets those that are served finish.
    package func run() async throws {
        try await waitUntilReady()
        let server = try await start()
        if let address = server.address { logger.info("edge.listening", metadata: ["address": "\(address)"]) }
        if let address = server.tlsAddress { logger.info("edge.listening.tls", metadata: ["address": "\(address)"]) }
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
        var listeners: [any Channel] = []
        if let plain {
            let bootstrap = bootstrap(connections).childChannelInitializer { initializePlain($0, connections) }
            listeners.append(try await listen(at: plain, bootstrap))
        }
        if let tls {
            let service = tlsService(tls.certificates)
            let bootstrap = bootstrap(connections)
                .childChannelOption(.recvAllocator, value: ReceiveBuffers(bytesMax: TLSBuffers.readBytesMax))
                .childChannelInitializer { initializeTLS($0, connections, service) }
            listeners.append(try await listen(at: tls.listener, bootstrap))
        }
        return RunningServer(
            address: plain.flatMap { _ in listeners.first?.localAddress },
            tlsAddress: tls.flatMap { _ in listeners.last?.localAddress }, listeners: listeners,
            connections: connections, draining: draining)
    }
}

/// A server that accepts connections.
struct RunningServer: Sendable {
    /// Where it listens for plain HTTP, and for TLS.
    let address: SocketAddress?
    let tlsAddress: SocketAddress?
    fileprivate let listeners: [any Channel]
    fileprivate let connections: OpenConnections
    fileprivate let draining: DrainFlag

    /// Connections that are open.
    var connectionCount: Int { connections.count }

    /// Accepts no more, and returns when all connections have ended, after `limit` at most.
    func stop(within limit: TimeAmount) async throws {
        draining.set()
        for listener in listeners {
            do { try await listener.close() } catch ChannelError.alreadyClosed {}
        }
        await connections.drain(within: limit)
    }
}

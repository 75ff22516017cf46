internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceKit
internal import ServiceLifecycle
internal import Synchronization

/// The public HTTP server: accepts connections until shutdown, then lets those that are served finish.
struct HTTPServer: Service {
    static let backlog: Int32 = 1024

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

    /// How long the start waits for readiness: then those who ask are told that the service is unavailable.
    static let readinessWait: Duration = .seconds(3)

    func run() async throws {
        let connections = OpenConnections()
        try await waitUntilReady()
        let listener = try await listen(connections)
        logger.info("edge.listening", metadata: ["address": "\(listener.localAddress.map { "\($0)" } ?? "?")"])
        // Cancelled: the way out is the same.
        do { try await gracefulShutdown() } catch is CancellationError {}
        do { try await listener.close() } catch ChannelError.alreadyClosed {}
        await connections.drain()
    }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + Self.readinessWait
        while !isReady(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    }

    private func listen(_ connections: OpenConnections) async throws -> any Channel {
        let limits = limits
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Without it our half of a connection could not be closed before the client's.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 256 * 1024))
            .childChannelInitializer { channel in
                guard connections.admit(channel, limits) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    let handler = ServerConnection(
                        router: router, limits: limits, pools: pools.pools(of: channel.eventLoop).value,
                        observer: observer)
                    try channel.pipeline.syncOperations.addHandler(handler)
                    connections.add(handler, of: channel)
                }
            }
        if let inheritedSocket { return try await bootstrap.withBoundSocket(inheritedSocket).get() }
        return try await bootstrap.bind(host: address.host, port: address.port).get()
    }
}

/// The socket that a supervisor holds for us (systemd's protocol: `LISTEN_FDS`, `LISTEN_PID`, descriptor 3).
enum InheritedSocket {
    private static let firstDescriptor: NIOBSDSocket.Handle = 3

    /// - Parameter variable: reads the environment.
    static func find(_ variable: (String) -> String?) -> NIOBSDSocket.Handle? {
        guard variable("LISTEN_FDS") == "1" else { return nil }
        if let pid = variable("LISTEN_PID"), pid != "\(getpid())" { return nil }
        return firstDescriptor
    }
}

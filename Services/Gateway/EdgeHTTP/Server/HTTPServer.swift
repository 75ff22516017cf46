package import Logging
import NIOCore
package import NIOPosix
import ServiceKit
import ServiceLifecycle

/// The public HTTP server. It accepts connections until shutdown, then lets the requests under way finish.
package struct HTTPServer: Service {
    /// The listener of plain HTTP; `nil` if it is not served.
    let plain: EdgeListener?
    /// The listener of TLS; `nil` if it is not served.
    let tls: TLSListener?
    let group: MultiThreadedEventLoopGroup
    let pools: EventLoopPools
    let rules: CurrentRules
    let census: ConnectionCensus
    let observer: any RequestObserver
    /// Whether requests can be decided. Until then connections wait in the listening socket's queue.
    let isReady: @Sendable () -> Bool
    /// The flag that is set when the server stops.
    let draining: DrainFlag
    let logger: Logger

    /// Creates a server that begins to listen when it is run.
    package init(
        plain: EdgeListener?, tls: TLSListener? = nil, group: MultiThreadedEventLoopGroup, pools: EventLoopPools,
        rules: EdgeRules, observer: any RequestObserver,
        isReady: @escaping @Sendable () -> Bool, draining: DrainFlag = DrainFlag(), logger: Logger
    ) {
        self.plain = plain
        self.tls = tls
        self.group = group
        self.pools = pools
        self.rules = CurrentRules(rules, on: group)
        census = ConnectionCensus(connectionsMax: rules.limits.connectionsMax)
        self.observer = observer
        self.isReady = isReady
        self.draining = draining
        self.logger = logger
    }

    /// How long the start waits for readiness. After that, clients get the response that the service is unavailable.
    static let readinessWait: Duration = .seconds(3)

    /// Waits until requests can be decided, accepts connections until shutdown, then lets the requests under way finish.
    package func run() async throws {
        try await waitUntilReady()
        let server = try await start()
        if let address = server.address { logger.info("edge.listening", metadata: ["address": "\(address)"]) }
        if let address = server.tlsAddress { logger.info("edge.listening.tls", metadata: ["address": "\(address)"]) }
        // A cancellation shuts down in the same way.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await server.stop(within: .seconds(rules.latest.limits.drainSeconds))
    }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + Self.readinessWait
        while !isReady(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Replaces the rules: connections and requests that begin after this returns have the new ones, and all others go on.
    package func use(_ rules: EdgeRules) async throws {
        census.connectionsMax = rules.limits.connectionsMax
        try await self.rules.replace(with: rules)
    }

    /// Begins to accept connections.
    func start() async throws -> RunningServer {
        var listeners: [any Channel] = []
        if let plain {
            let bootstrap = bootstrap().childChannelInitializer { initializePlain($0) }
            listeners.append(try await listen(at: plain, setting: "LATCHKEY_LISTEN", bootstrap))
        }
        if let tls {
            let service = tlsService(tls.certificates)
            let bootstrap = bootstrap()
                .childChannelOption(.recvAllocator, value: ReceiveBuffers(bytesMax: TLSTransport.readBytesMax))
                .childChannelInitializer { initializeTLS($0, service) }
            listeners.append(try await listen(at: tls.listener, setting: "LATCHKEY_TLS_LISTEN", bootstrap))
        }
        return RunningServer(
            address: plain.flatMap { _ in listeners.first?.localAddress },
            tlsAddress: tls.flatMap { _ in listeners.last?.localAddress }, listeners: listeners,
            census: census, draining: draining)
    }
}

/// A server that accepts connections.
struct RunningServer: Sendable {
    /// The addresses at which it listens for plain HTTP and for TLS.
    let address: SocketAddress?
    let tlsAddress: SocketAddress?
    fileprivate let listeners: [any Channel]
    fileprivate let census: ConnectionCensus
    fileprivate let draining: DrainFlag

    /// The number of open connections.
    var connectionCount: Int { census.count }

    /// Stops accepting, and returns when all connections have ended, after `limit` at the latest.
    func stop(within limit: TimeAmount) async throws {
        draining.set()
        for listener in listeners {
            do { try await listener.close() } catch ChannelError.alreadyClosed {}
        }
        await census.drain(within: limit)
    }
}

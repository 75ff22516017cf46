import NIOCore
import NIOHTTP1
import NIOPosix
import Policies
import Release
import ServerNames
import ServiceLifecycle

/// The operations port: `/healthz` (alive, and which version), `/readyz` (can do its job now), `/metrics` (Prometheus text).
///
/// The port is never reachable from outside, so it requires no assertion, and none of its responses is secret.
struct OperationsServer: Service {
    let addresses: [ListenAddress]
    /// The addresses of Redis or of its Sentinels, in whose network `internal` listens.
    let peers: [ListenAddress]
    let readiness: [ReadinessCheck]
    let drain: Drain
    let metrics: MetricsRegistry
    let sink: LogSink

    /// Responds to requests until graceful shutdown.
    func run() async throws {
        var listeners: [any Channel] = []
        do {
            for address in addresses {
                for host in try hosts(of: address) { listeners.append(try await listen(on: host, for: address)) }
            }
            if let address = addresses.first(where: \.isInternal), !peers.isEmpty,
                let host = await internalHost(), host != Self.loopback
            {
                listeners.append(try await listen(on: host, for: address))
            }
            try await gracefulShutdown()
        } catch is CancellationError {
            // Cancellation ends the wait as a shutdown does: the ports are closed either way.
        }
        for listener in listeners { try await listener.close() }
    }

    /// Returns the hosts at which it listens at once for one address of the setting: for a block, this machine's own addresses in it.
    private func hosts(of address: ListenAddress) throws -> [String] {
        if address.isInternal { return [Self.loopback] }
        guard address.host.contains("/"), let block = CIDR(address.host) else { return [address.host] }
        let own = try System.enumerateDevices().compactMap { $0.address?.ipAddress }
            .filter { IPAddress($0).map(block.contains) ?? false }
        guard !own.isEmpty else { throw ListenFailure(noneIn: address, setting: Self.setting) }
        return own
    }

    private static let setting = "LATCHKEY_OPS_LISTEN"

    private func listen(on host: String, for address: ListenAddress) async throws -> any Channel {
        try await ListenFailure.naming(Self.setting, address) {
            try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel.pipeline.syncOperations) }
                }
                .bind(host: host, port: address.port).get()
        }
    }

    /// Returns this process's address in the network of Redis; waits until the name of Redis resolves.
    ///
    /// - Returns: `nil` on shutdown.
    private func internalHost() async -> String? {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                for peer in peers { if let host = await hostToward(peer) { return host } }
                do { try await Task.sleep(for: Self.namePause) } catch { return nil }
            }
            return nil
        }
    }

    /// Returns the address from which packets to a peer go out. None is sent, since a datagram socket only chooses its route.
    private func hostToward(_ peer: ListenAddress) async -> String? {
        do {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let addresses = try await ServerNames.system.addresses(of: peer.host, port: peer.port, on: loop).get()
            guard let address = addresses.first else { return nil }
            let channel = try await DatagramBootstrap(group: loop).connect(to: address).get()
            let host = channel.localAddress?.ipAddress
            try await channel.close()
            return host
        } catch {
            // Redis' container is not up yet.
            return nil
        }
    }

    private static let loopback = "127.0.0.1"
    private static let namePause: Duration = .seconds(1)

    private func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.configureHTTPServerPipeline()
        try pipeline.addHandler(IdleStateHandler(allTimeout: OperationsConnection.idleTime))
        try pipeline.addHandler(OperationsConnection { await answer($0) })
    }

    private func answer(_ path: String) async -> OperationsAnswer {
        switch path {
        case "/healthz": OperationsAnswer(.ok, "ok \(Release.version)\n")
        case "/readyz": await readinessAnswer()
        case "/metrics": OperationsAnswer(.ok, metricsText(), contentType: "text/plain; version=0.0.4; charset=utf-8")
        default: OperationsAnswer(.notFound, "there are /healthz, /readyz and /metrics\n")
        }
    }

    private func metricsText() -> String {
        metrics.prometheusText() + ProcessMetrics.prometheusText(droppedLogLines: sink.droppedLines)
    }

    /// Returns 200 if all checks hold that are no mere cautions, else 503 with the names of those that do not, and why.
    private func readinessAnswer() async -> OperationsAnswer {
        var missing: [String] = drain.isDraining ? ["draining"] : []
        var cautions = ""
        for check in readiness {
            guard let what = await check.missing() else { continue }
            if check.isCaution { cautions += "caution: \(what)\n" } else { missing.append(what) }
        }
        guard missing.isEmpty else {
            return OperationsAnswer(.serviceUnavailable, "not ready: \(missing.joined(separator: ", "))\n" + cautions)
        }
        return OperationsAnswer(.ok, "ready\n" + cautions)
    }
}

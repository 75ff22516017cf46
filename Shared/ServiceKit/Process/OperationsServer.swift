import NIOCore
import NIOHTTP1
import NIOPosix
import Release
import ServiceLifecycle

/// The operations port: `/healthz` (alive, and which version), `/readyz` (can do its job now), `/metrics` (Prometheus text).
///
/// It is never reachable from outside; nothing here needs an assertion, and nothing here is secret.
struct OperationsServer: Service {
    let address: ListenAddress
    let readiness: [ReadinessCheck]
    let drain: Drain
    let metrics: MetricsRegistry
    let sink: LogSink

    /// Answers until graceful shutdown.
    func run() async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel.pipeline.syncOperations) }
            }
            .bind(host: address.host, port: address.port).get()
        // Cancellation ends the wait as a shutdown does: the port is given back on every way out.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await listener.close()
    }

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

    /// 200 when everything holds, else 503 with the names of what does not.
    private func readinessAnswer() async -> OperationsAnswer {
        var missing: [String] = drain.isDraining ? ["draining"] : []
        for check in readiness where await !check.isReady() { missing.append(check.name) }
        guard missing.isEmpty else {
            return OperationsAnswer(.serviceUnavailable, "not ready: \(missing.joined(separator: ", "))\n")
        }
        return OperationsAnswer(.ok, "ready\n")
    }
}

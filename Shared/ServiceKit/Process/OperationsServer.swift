internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Release
internal import ServiceLifecycle

/// The operations port: `/healthz` (alive, and which version), `/readyz` (can do its job now), `/metrics` (Prometheus text).
///
/// It is never reachable from outside; nothing here needs an assertion, and nothing here is secret.
struct OperationsServer: Sendable {
    let readiness: [ReadinessCheck]
    let drain: Drain
    let metrics: MetricsRegistry
    let sink: LogSink

    /// The server as a service.
    func service(address: ListenAddress, logger: Logger) -> some Service {
        let router = Router()
        router.get("/healthz") { _, _ in "ok \(Release.version)\n" }
        router.get("/readyz") { _, _ in await readiness() }
        router.get("/metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(string: metricsText())))
        }
        return boundedApplication(router, address: address, logger: logger)
    }

    private func metricsText() -> String {
        metrics.prometheusText() + ProcessMetrics.prometheusText(droppedLogLines: sink.droppedLines)
    }

    /// 200 when everything holds, else 503 with the names of what does not.
    private func readiness() async -> Response {
        var missing: [String] = drain.isDraining ? ["draining"] : []
        for check in readiness where await !check.isReady() { missing.append(check.name) }
        let text = missing.isEmpty ? "ready\n" : "not ready: \(missing.joined(separator: ", "))\n"
        return Response(
            status: missing.isEmpty ? .ok : .serviceUnavailable, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

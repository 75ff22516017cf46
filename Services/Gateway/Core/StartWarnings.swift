import Glibc
import Logging
import Policies
import ServiceKit
import Tracing

/// Warnings about settings that are allowed but seldom intended. Each is one line in the log when the gateway starts or reads its
/// policy again.
struct StartWarnings {
    /// Descriptors that are not clients: upstreams, Redis, listeners, logs.
    private static let otherDescriptors = 128

    private let context: ProcessContext
    private let speaksTLS: Bool
    private let proxies: FrontProxies

    init(_ context: ProcessContext, speaksTLS: Bool, proxies: FrontProxies) {
        (self.context, self.speaksTLS, self.proxies) = (context, speaksTLS, proxies)
    }

    func log() {
        if context.policy.tracing.oneIn > 0, InstrumentationSystem.tracer is NoOpTracer {
            context.logger.notice(
                "trace.no_collector", metadata: ["remedy": "set OTEL_EXPORTER_OTLP_ENDPOINT, or tracing.oneIn to 0"])
        }
        if Self.isInTheClear(context.settings.environment, speaksTLS: speaksTLS, proxies: proxies) {
            context.logger.warning(
                "edge.plain_http",
                metadata: [
                    "problem":
                        "production without TLS and without a trusted proxy: codes and tokens travel in the clear",
                    "remedy": "LATCHKEY_TLS_LISTEN, or name the proxy that speaks TLS in trustedProxies",
                ])
        }
        let wanted = context.policy.edge.connectionsMax
        if let limit = Self.openFilesMax(), !Self.fit(wanted, openFiles: limit) {
            context.logger.warning(
                "edge.connections.file_limit",
                metadata: [
                    "edge.connectionsMax": .stringConvertible(wanted), "open.files": .stringConvertible(limit),
                    "remedy": "raise the limit of open files (ulimit -n) or lower edge.connectionsMax",
                ])
        }
    }

    /// Whether clients come over networks without TLS, neither here nor at a proxy.
    static func isInTheClear(
        _ environment: DeploymentEnvironment, speaksTLS: Bool, proxies: FrontProxies
    ) -> Bool { environment == .production && !speaksTLS && proxies.trusted.isEmpty }

    /// Whether so many clients and all else fit the limit of open files.
    static func fit(_ connections: Int, openFiles: Int) -> Bool { connections <= openFiles - otherDescriptors }

    private static func openFilesMax() -> Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_cur)
    }
}

import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle

/// Counts the live sessions for the metrics.
struct SessionGauge: Service {
    /// The pause between two counts.
    static let interval: Duration = .seconds(600)

    let store: any SessionStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws { await repeatUntilShutdown(every: Self.interval) { await count() } }

    func count() async {
        do { Gauge(label: "auth_sessions").record(try await store.liveCount(now: now())) } catch {
            logger.warning("sessions.uncounted", metadata: ["cause": "\(error)"])
        }
    }
}

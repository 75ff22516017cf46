import CoreMetrics
import Synchronization

/// The client's metrics: `redis_client_errors_total{code}` and `redis_client_connections`.
final class RedisMetrics: Sendable {
    private let errors: [RedisError.Code: Counter]
    private let connections = Gauge(label: "redis_client_connections")
    private let connectionCount = Mutex(0)

    init() {
        errors = Dictionary(
            uniqueKeysWithValues: RedisError.Code.allCases.map { code in
                (code, Counter(label: "redis_client_errors_total", dimensions: [("code", code.rawValue)]))
            })
        connections.record(0)
    }

    /// Counts a failed command or pipeline.
    func failed(_ error: RedisError) {
        errors[error.code]?.increment()
    }

    /// Counts a connection that became ready, or is no longer ready.
    func readinessChanged(_ isReady: Bool) {
        connectionCount.withLock { count in
            count += isReady ? 1 : -1
            connections.record(count)
        }
    }
}

import CoreMetrics
import Glibc
import Synchronization

/// The busy handler: it tries a locked file again every 0.3 ms, for 1 s.
///
/// SQLite's own timeout backs off to waits of 100 ms, which starve one of two busy processes (conventions, GRDB).
final class BusyWait: Sendable {
    private let clock = ContinuousClock()
    private let startedAt: Mutex<ContinuousClock.Instant>
    private let limit = Mutex<Duration>(.seconds(SQLiteLimits.busyWaitSeconds))
    private let metrics: SQLiteMetrics

    init(metrics: SQLiteMetrics) {
        self.metrics = metrics
        startedAt = Mutex(clock.now)
    }

    /// Runs `body`, in which no wait for a lock exceeds `limit`.
    func atMost<Value>(_ limit: Duration, _ body: () throws -> Value) rethrows -> Value {
        self.limit.withLock { $0 = limit }
        defer { self.limit.withLock { $0 = .seconds(SQLiteLimits.busyWaitSeconds) } }
        return try body()
    }

    /// Called on the connection's thread with the number of earlier attempts at the same lock.
    func shallRetry(attempts: Int) -> Bool {
        let waited = startedAt.withLock { started -> Duration in
            if attempts == 0 { started = clock.now }
            return clock.now - started
        }
        if attempts == 0 { metrics.busy.increment() }
        guard waited < limit.withLock({ $0 }) else { return false }
        usleep(SQLiteLimits.busyRetryMicroseconds)
        return true
    }
}

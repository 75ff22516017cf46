import CoreMetrics

/// The metrics of the store, for one file.
struct SQLiteMetrics: Sendable {
    /// Durations of group transactions, from `BEGIN` until the commit is durable.
    let write: CoreMetrics.Timer
    let read: CoreMetrics.Timer
    /// How often the file was found locked by another process.
    let busy: CoreMetrics.Counter
    /// Cycles of checkpoints that this process has begun.
    let cycles: CoreMetrics.Counter
    /// How often the log was found in a state that only SQLite's WAL-reset bug leaves.
    let impossible: CoreMetrics.Counter

    init() {
        let duration = "sqlite_transaction_duration_seconds"
        write = CoreMetrics.Timer(label: duration, dimensions: [("kind", "write")])
        read = CoreMetrics.Timer(label: duration, dimensions: [("kind", "read")])
        busy = CoreMetrics.Counter(label: "sqlite_busy_total")
        cycles = CoreMetrics.Counter(label: "sqlite_checkpoint_cycles_total")
        impossible = CoreMetrics.Counter(label: "sqlite_wal_impossible_total")
    }

    /// Records how long a transaction took.
    func record(_ timer: CoreMetrics.Timer, _ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(
            seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000)
    }
}

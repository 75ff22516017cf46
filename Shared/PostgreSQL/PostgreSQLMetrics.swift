import CoreMetrics

/// The metrics of the layer, for the database of a process.
struct PostgreSQLMetrics: Sendable {
    /// Durations of the last round trip of transactions, which waits until the commit is durable.
    private let commit = CoreMetrics.Timer(label: "postgresql_commit_duration_seconds")
    /// Commits whose outcome is unknown.
    private let unknown = Counter(label: "postgresql_unknown_commits_total")
    /// Connections that were opened; a growing number shows that they do not last.
    private let opened = Counter(label: "postgresql_connections_opened_total")

    func recordUnknown() { unknown.increment() }

    func recordOpened() { opened.increment() }

    /// Records how long a commit took.
    func recordCommit(since start: ContinuousClock.Instant) {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        commit.recordNanoseconds(
            seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000)
    }
}

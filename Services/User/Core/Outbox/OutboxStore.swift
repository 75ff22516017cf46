/// The rows that wait to be told to other services.
protocol OutboxStore: Sendable {
    /// Whether a row is due; cheap, so that idle replicas write nothing.
    func hasDue(now: Int64) async throws -> Bool

    /// Takes the outbox's lease and reads rows that are due, oldest first; none while a replica holds the lease.
    func takeDue(limit: Int, holder: String, now: Int64) async throws -> [OutboxItem]

    /// Forgets a row whose receiver has confirmed it; a second time does nothing.
    func confirm(_ item: OutboxItem.ID) async throws

    /// Notes a failed attempt and when the next one is due.
    func postpone(_ item: OutboxItem.ID, until: Int64) async throws

    /// Rows that wait.
    func pendingCount() async throws -> Int64
}

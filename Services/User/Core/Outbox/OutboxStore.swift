package import Storage

/// The rows that wait to be told to other services; each is written with the change that causes it.
package protocol OutboxStore: Sendable {
    /// Whether a row of the lane is due; cheap, so that idle replicas write nothing.
    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) async throws -> Bool

    /// Takes the lane's lease and reads rows that are due, oldest first; none while a replica holds the lease.
    func takeDue(_ lane: OutboxMessage.Lane, limit: Int, lease: Lease, now: Int64) async throws -> [OutboxItem]

    /// Rows of the lane about a user, due or not, oldest first.
    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) async throws -> [OutboxItem]

    /// Forgets a row whose receiver has confirmed it; a second time does nothing.
    func confirm(_ item: OutboxItem) async throws

    /// Notes a failed attempt and when the next one is due.
    func postpone(_ item: OutboxItem.ID, until: Int64) async throws

    /// Rows of the lane that wait.
    func pendingCount(_ lane: OutboxMessage.Lane) async throws -> Int64
}

package import Storage

/// The rows that wait to be told to other services; each is written with the change that causes it.
package protocol OutboxStore: Sendable {
    /// Whether a row of the lane is due; cheap, so that idle replicas write nothing.
    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) async throws -> Bool

    /// Takes the lane's lease and reads rows that are due, none while a replica holds the lease: mails by their places, others
    /// oldest first.
    func takeDue(_ lane: OutboxMessage.Lane, limit: Int, lease: Lease, now: Int64) async throws -> [OutboxItem]

    /// Rows of the lane about a user, due or not, oldest first.
    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) async throws -> [OutboxItem]

    /// Forgets a row whose receiver has confirmed it; a second time does nothing.
    func confirm(_ item: OutboxItem) async throws

    /// Notes a failed attempt and when the next one is due; nil: the row is dead.
    func postpone(_ item: OutboxItem.ID, until: Int64?) async throws

    /// Sets when a mail's link expires as the mail is first handed to the provider; later tries do not prolong it.
    ///
    /// - Parameter link: the hash of the link's token.
    /// - Returns: when the link expires, in Unix seconds; `nil` if it does not open any more.
    func handOver(link: [UInt8], now: Int64) async throws -> Int64?

    /// How the lane stands.
    func standing(_ lane: OutboxMessage.Lane) async throws -> OutboxStanding

    // For the operator; each change is written with its audit record.

    /// Rows after `last`, in their order.
    func listed(behind last: OutboxItem.ID?, limit: Int) async throws -> [OutboxListing]

    /// Makes a row due at once, dead or not.
    ///
    /// - Returns: whether the row exists.
    func retry(_ item: OutboxItem.ID, origin: RequestOrigin, now: Int64) async throws -> Bool

    /// Removes a row of the lane, delivered or not.
    ///
    /// - Returns: whether the row existed.
    func drop(
        _ item: OutboxItem.ID, in lane: OutboxMessage.Lane, origin: RequestOrigin, now: Int64
    ) async throws -> Bool
}

/// How a lane of the outbox stands.
package struct OutboxStanding: Sendable, Equatable {
    /// Rows that wait, dead ones not among them.
    package let pending: Int64
    /// When the one that waits longest was written, in Unix seconds; nil when none waits.
    package let oldestAt: Int64?
    /// Rows that are not tried any more.
    package let dead: Int64

    package init(pending: Int64, oldestAt: Int64?, dead: Int64) {
        self.pending = pending
        self.oldestAt = oldestAt
        self.dead = dead
    }
}

/// A row without what it says.
package struct OutboxListing: Sendable, Equatable {
    package let id: OutboxItem.ID
    /// The names in the file. A newer version may have written some that this one does not know.
    package let lane, kind: String
    package let user: UserID
    package let attempts: Int64
    /// Unix seconds; nil: it is dead.
    package let nextAttemptAt: Int64?
    package let createdAt: Int64

    package init(
        id: OutboxItem.ID, lane: String, kind: String, user: UserID, attempts: Int64, nextAttemptAt: Int64?,
        createdAt: Int64
    ) {
        (self.id, self.lane, self.kind, self.user) = (id, lane, kind, user)
        (self.attempts, self.nextAttemptAt, self.createdAt) = (attempts, nextAttemptAt, createdAt)
    }
}

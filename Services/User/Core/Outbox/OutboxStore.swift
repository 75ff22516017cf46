package import InternalAPI
package import Storage

/// Storage of the messages that wait for delivery to other services. Each is written with the change that causes it.
package protocol OutboxStore: Sendable {
    /// Whether a row of the lane is due. The query only reads, so that idle replicas write nothing.
    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) async throws -> Bool

    /// Acquires the lane's lease and reads rows that are due: messages to providers by their places, others oldest first. There are none while
    /// another replica has the lease.
    func takeDue(_ lane: OutboxMessage.Lane, limit: Int, lease: Lease, now: Int64) async throws -> [OutboxItem]

    /// Rows of the lane about a user, due or not, oldest first.
    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) async throws -> [OutboxItem]

    /// Removes a row that its receiver has confirmed; a second time does nothing.
    func confirm(_ item: OutboxItem) async throws

    /// Records a failed attempt.
    ///
    /// - Parameter until: the Unix time in seconds at which the next attempt is due, or `nil` if the row is dead.
    func postpone(_ item: OutboxItem.ID, until: Int64?) async throws

    /// Ends the retries of a revocation at Apple, and writes the audit record of it in the same transaction.
    func bury(_ item: OutboxItem.ID, now: Int64) async throws

    /// Returns the user who has an identity.
    func holder(of identity: VerifiedIdentity) async throws -> UserID?

    /// Stores a token of Apple's in place of the row that brought it: a code that was exchanged, or a revocation that is not due any
    /// more.
    ///
    /// A token of a user who has lost the identity or was removed is not stored, but queued for revocation. After Apple has
    /// reported the end of the user's consent, the token is dropped, since it is revoked already.
    func keep(_ token: AppleToken, replacing item: OutboxItem.ID, now: Int64) async throws -> KeptToken

    /// Sets the expiry of a mail's link when the mail is first sent to the provider. Later attempts do not prolong it.
    ///
    /// - Parameter link: the hash of the link's token.
    /// - Returns: the time at which the link expires, in Unix seconds, or `nil` if it is not valid any more.
    func handOver(link: [UInt8], now: Int64) async throws -> Int64?

    /// Records that a provider accepted the notice of a user's removal after inactivity. The removal waits as long as it would have if
    /// the notice had been sent at once.
    func noteTold(_ user: UserID, now: Int64) async throws

    /// Returns the standing of a lane.
    func standing(_ lane: OutboxMessage.Lane) async throws -> OutboxStanding

    // Operations of the operator; each change is written with its audit record.

    /// Returns rows after `last`, in their order.
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

/// The outcome of storing a token of Apple's. The raw value is for the metric.
package enum KeptToken: String, Sendable, CaseIterable {
    case stored
    case revoking
    case dropped
}

/// The standing of a lane of the outbox.
package struct OutboxStanding: Sendable, Equatable {
    /// The number of rows that wait, without dead ones.
    package let pending: Int64
    /// The time at which the oldest waiting row was written, in Unix seconds, or `nil` if no row waits.
    package let oldestAt: Int64?
    /// The number of rows that are not retried any more.
    package let dead: Int64

    package init(pending: Int64, oldestAt: Int64?, dead: Int64) {
        self.pending = pending
        self.oldestAt = oldestAt
        self.dead = dead
    }
}

/// A row without its content.
package struct OutboxListing: Sendable, Equatable {
    package let id: OutboxItem.ID
    /// The stored names. A newer version may have written some that this one does not know.
    package let lane, kind: String
    package let user: UserID
    package let attempts: Int64
    /// Unix time in seconds; `nil` if the row is dead.
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

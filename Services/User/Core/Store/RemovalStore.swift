package import Storage

/// The removal of users whose day has come, durable before any call returns.
package protocol RemovalStore: Sendable {
    /// Users whose day has come, the one who waits longest first.
    func due(limit: Int, now: Int64) async throws -> [DueUser]

    /// Unix time in seconds at which the first of those who wait was, or is, due; nil when nobody waits.
    func firstDueAt() async throws -> Int64?

    /// Removes a user in one transaction: himself, his identities and all rows keyed by him; leaves his bare id, the record
    /// of the act under his pseudonym, and what other services are to be told.
    ///
    /// - Parameter lease: the job's, taken or prolonged in the same transaction.
    func remove(
        _ due: DueUser, messages: [OutboxMessage], lease: Lease, now: Int64
    ) async throws -> RemovalOutcome
}

/// A user whose day has come.
package struct DueUser: Sendable, Equatable {
    package let user: User
    /// Attestations that led to him and may come again.
    package let proofIDs: [String]

    package init(user: User, proofIDs: [String]) {
        self.user = user
        self.proofIDs = proofIDs
    }
}

/// What came of a removal.
package enum RemovalOutcome: Sendable, Equatable {
    case removed
    /// He is not as he was read any more: restored meanwhile, changed, or removed by another.
    case notDue
    /// A replica has the lease.
    case notOurTurn
}

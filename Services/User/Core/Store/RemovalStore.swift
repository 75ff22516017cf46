package import InternalAPI
package import Storage

/// Storage operations that remove users whose deletion is due. Changes are durable when a call returns.
package protocol RemovalStore: Sendable {
    /// Users whose deletion is due, the longest overdue first.
    func due(limit: Int, now: Int64) async throws -> [DueUser]

    /// Unix time in seconds of the earliest scheduled deletion, past or future; `nil` if no deletion is scheduled.
    func firstDueAt() async throws -> Int64?

    /// Removes a user in one transaction, with their identities and all rows keyed by them. The bare id, the audit record of
    /// the removal under their pseudonym, and the messages for other services remain.
    ///
    /// - Parameters:
    ///   - notes: recognise tokens from before the deletion of the user's identities.
    ///   - lease: the job's lease, which the same transaction acquires or prolongs.
    func remove(
        _ due: DueUser, messages: [OutboxMessage], notes: [FirstAnswer], lease: Lease, now: Int64
    ) async throws -> RemovalOutcome
}

/// A user whose deletion is due.
package struct DueUser: Sendable, Equatable {
    package let user: User
    /// The ids of attestations that were resolved to the user and may be presented again.
    package let proofIDs: [String]
    /// The user's identities at Apple and OpenID Connect providers.
    package let identitiesAtProviders: [VerifiedIdentity]
    /// The users who were merged into this one.
    package let merged: [MergedUser]

    package init(
        user: User, proofIDs: [String], identitiesAtProviders: [VerifiedIdentity] = [], merged: [MergedUser] = []
    ) {
        self.user = user
        self.merged = merged
        self.proofIDs = proofIDs
        self.identitiesAtProviders = identitiesAtProviders
    }
}

/// The outcome of a removal.
package enum RemovalOutcome: Sendable, Equatable {
    case removed
    /// The user was restored, changed or removed after they were read.
    case notDue
    /// Another replica has the lease.
    case notOurTurn
}

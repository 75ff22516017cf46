/// The removal of users whose day has come, on disk before any call returns.
protocol RemovalStore: Sendable {
    /// Users whose day has come, the one who waits longest first.
    func due(limit: Int, now: Int64) async throws -> [DueUser]

    /// Unix time in seconds at which the first of those who wait was, or is, due; nil when nobody waits.
    func firstDueAt() async throws -> Int64?

    /// Removes a user in one transaction: himself, his identities and all rows keyed by him; leaves his bare id, the record
    /// of the act under his pseudonym, and what other services are to be told.
    ///
    /// - Parameters:
    ///   - holder: this process, told apart from its replicas.
    ///   - messages: what other services are to be told, of the user as he is then.
    func remove(
        _ user: DueUser, holder: String, now: Int64, messages: @escaping @Sendable (User) throws -> [OutboxMessage]
    ) async throws -> RemovalOutcome

    /// Ids of removed users, in their order, behind `last`.
    func removed(behind last: UserID?, limit: Int) async throws -> [UserID]
}

/// A user whose day has come.
struct DueUser: Sendable, Equatable {
    let id: UserID
    /// Attestations that led to him and may come again.
    let proofIDs: [String]
}

/// What came of a removal.
enum RemovalOutcome: Sendable, Equatable {
    case removed
    /// He was restored meanwhile, or removed by another.
    case notDue
    /// A replica has the lease.
    case notOurTurn
}

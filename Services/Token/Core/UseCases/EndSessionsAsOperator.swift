import InternalAPI

/// Revokes all sessions of a user, or a single one, with those in which they act as others, on request of the operator.
///
/// Returns only once the revocations are durable here and known to Redis. The user may sign in again.
struct EndSessionsAsOperator: Sendable {
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` unless exactly one of user and session is specified.
    func callAsFunction(_ request: EndSessionsRequest) async throws -> EndSessionsAnswer {
        let revocations = try await revocations(request)
        try await publisher.publish(revocations)
        RevocationReason.admin.count(revocations)
        return EndSessionsAnswer(endedCount: revocations.count)
    }

    private func revocations(_ request: EndSessionsRequest) async throws -> [Revocation] {
        switch (request.userID, request.sessionID.map { SessionID(text: $0) }) {
        case (let userID?, nil):
            return try await store.endAll(ofUser: userID, except: nil, reason: .admin, now: now())
                + store.endActing(by: userID, now: now())
        case (nil, .some(.some(let id))):
            guard let session = try await store.durableSession(named: id) else { return [] }
            return try await store.endWithActing(session, reason: .admin, now: now())
        default: throw InvalidInput("Give exactly one of userID and sessionID")
        }
    }
}

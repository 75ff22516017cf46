import InternalAPI
import Storage

/// Gives an account up: schedules its removal and ends all its sessions at once.
///
/// The outbox row is written with the schedule, so that the sessions end whatever happens to this process afterwards.
struct DeleteAccount: Sendable {
    let store: any UserStore
    let courier: OutboxCourier
    let userIDPrefix: String
    let graceDays: Int
    /// Words mail; nil where the policy has none.
    let notices: AccountNotices?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// What a request came to.
    enum Result: Sendable, Equatable {
        /// The deletion is scheduled, and token-service has confirmed that the sessions are over.
        case scheduled(dueAt: Int64)
        /// The deletion is scheduled; token-service has not confirmed, and the outbox keeps trying.
        case unconfirmed
        case unknown
    }

    func callAsFunction(_ caller: SignedInUser, requestID: String?) async throws -> Result {
        try await delete(caller.id, RequestOrigin(requestID: requestID, sessionID: caller.sessionID))
    }

    /// The same at the operator's word.
    func callAsFunction(_ request: DeleteUserRequest, requestID: String?) async throws -> Result {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        return try await delete(
            id, RequestOrigin(requestID: requestID, method: RequestOrigin.operatorMethod))
    }

    /// The same on request of a person who has proved to hold an identity of the user.
    ///
    /// - Parameter read: reads the user as stored, or returns nil where the proof does not allow the deletion (any more).
    func callAsFunction(
        _ id: UserID, by method: String, requestID: String?, read: @Sendable () async throws -> User?
    ) async throws -> Result {
        try await delete(id, RequestOrigin(requestID: requestID, method: method), read: read)
    }

    private func delete(_ id: UserID, _ origin: RequestOrigin) async throws -> Result {
        try await delete(id, origin) { try await store.user(id) }
    }

    private func delete(
        _ id: UserID, _ origin: RequestOrigin, read: @Sendable () async throws -> User?
    ) async throws -> Result {
        guard let deletion = try await schedule(origin, now(), read: read) else { return .unknown }
        return try await courier.deliverPending(about: id) ? .scheduled(dueAt: deletion.dueAt) : .unconfirmed
    }

    /// Schedules the deletion, raises the epoch and queues the end of all sessions; once scheduled it stays so.
    ///
    /// - Returns: nil when nothing is read.
    private func schedule(
        _ origin: RequestOrigin, _ now: Int64, read: @Sendable () async throws -> User?
    ) async throws -> ScheduledDeletion? {
        try await Decision.untilItHolds { () async throws -> Attempt<ScheduledDeletion?> in
            guard let user = try await read() else { return .held(nil) }
            if let deletion = user.deletion { return .held(deletion) }
            let (after, deletion) = user.givenUp(at: now, graceDays: graceDays)
            let changes = UserChanges(
                user: after, audit: AuditEntry(event: .deletionRequested, subject: user.pseudonym, origin: origin),
                messages: [try Self.revocation(of: after, userIDPrefix: userIDPrefix)]
                    + (try notices?.deletion(of: user, dueAt: deletion.dueAt) ?? []),
                messagesDueAt: now + OutboxLimits.ownAttemptSeconds)
            return try await store.apply(changes, to: user, now: now).yielding(deletion)
        }
    }

    private static func revocation(of user: User, userIDPrefix: String) throws -> OutboxMessage {
        let request = RevokeUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch, reason: .deleted)
        return try OutboxMessage(.revokeUser, encoding: request)
    }
}

internal import InternalAPI

/// Gives an account up: schedules its removal and ends all its sessions at once.
///
/// The outbox row is written with the schedule, so that the sessions end whatever happens to this process afterwards.
struct DeleteAccount: Sendable {
    let store: any UserStore
    let courier: OutboxCourier
    let userIDPrefix: String
    let graceDays: Int
    let clock: WallClock

    /// What a request came to.
    enum Result: Sendable, Equatable {
        /// The deletion is scheduled, and token-service has confirmed that the sessions are over.
        case scheduled(dueAt: Int64)
        /// The deletion is scheduled; token-service has not confirmed, and the outbox keeps trying.
        case unconfirmed
        case unknown
    }

    func delete(_ caller: SignedInUser, requestID: String?) async throws -> Result {
        try await delete(caller.id, RequestOrigin(requestID: requestID, sessionID: caller.sessionID))
    }

    /// The same at the operator's word.
    func delete(_ request: DeleteUserRequest, requestID: String?) async throws -> Result {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        return try await delete(
            id, RequestOrigin(requestID: requestID, method: RequestOrigin.operatorMethod))
    }

    private func delete(_ id: UserID, _ origin: RequestOrigin) async throws -> Result {
        let scheduled = try await store.scheduleDeletion(
            of: id, graceDays: graceDays, origin: origin, now: clock.seconds,
            message: { [userIDPrefix] in try Self.revocation(of: $0, userIDPrefix: userIDPrefix) })
        guard let scheduled else { return .unknown }
        for item in scheduled.pending {
            guard try await courier.deliver(item) else { return .unconfirmed }
        }
        return .scheduled(dueAt: scheduled.dueAt)
    }

    private static func revocation(of user: User, userIDPrefix: String) throws -> OutboxMessage {
        let request = RevokeUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch, reason: .deleted)
        return try OutboxMessage(.revokeUser, encoding: request)
    }
}

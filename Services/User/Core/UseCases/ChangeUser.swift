import InternalAPI
import Storage

/// Changes a user's role or attributes, or deactivates him, at the operator's word.
///
/// The outbox rows are written with the change, so that token-service is told whatever happens to this process afterwards.
struct ChangeUser: Sendable {
    let store: any UserStore
    let courier: OutboxCourier
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// What a request came to.
    enum Result: Sendable, Equatable {
        /// Token-service has confirmed: older tokens are refused, or all sessions are over.
        case done
        /// The change is made; token-service has not confirmed, and the outbox keeps trying.
        case unconfirmed
        case unknown
        case invalid
        /// Accounts of a store's reviewers have no role.
        case forReview
    }

    func callAsFunction(_ request: ChangeUserRequest, requestID: String?) async throws -> Result {
        guard let attributes = attributes.written(request.attributes ?? [:]),
            let change = RightsChange(role: request.role, isActive: request.isActive, attributes: attributes)
        else { return .invalid }
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        let origin = RequestOrigin(requestID: requestID, method: RequestOrigin.operatorMethod)
        if let refusal = try await apply(change, to: id, origin, now()) { return refusal }
        return try await courier.deliverPending(about: id) ? .done : .unconfirmed
    }

    /// - Returns: why it was not done; nil when it was.
    private func apply(
        _ change: RightsChange, to id: UserID, _ origin: RequestOrigin, _ now: Int64
    ) async throws -> Result? {
        try await Decision.untilItHolds { () async throws -> Attempt<Result?> in
            guard let user = try await store.user(id) else { return .held(.unknown) }
            let (after, changed) = change.applied(to: user, now: now)
            guard !changed.isEmpty else { return .held(nil) }
            guard !user.isForReview || after.role == User.defaultRole else { return .held(.forReview) }
            let changes = UserChanges(
                user: after,
                audit: AuditEntry(
                    event: .rightsChanged, subject: user.pseudonym, origin: origin,
                    detail: changed.joined(separator: ",")),
                messages: try Self.messages(from: user, to: after, userIDPrefix),
                messagesDueAt: now + OutboxLimits.ownAttemptSeconds)
            return try await store.apply(changes, to: user, now: now).yielding(nil)
        }
    }

    private static func messages(from before: User, to after: User, _ prefix: String) throws -> [OutboxMessage] {
        var messages: [OutboxMessage] = []
        let userID = after.id.text(prefix: prefix)
        if after.version > before.version {
            let request = ChangeRightsRequest(userID: userID, role: after.role, version: after.version)
            messages.append(try OutboxMessage(.changeRights, encoding: request))
        }
        if after.epoch > before.epoch {
            let request = RevokeUserRequest(userID: userID, epoch: after.epoch, reason: .inactive)
            messages.append(try OutboxMessage(.revokeUser, encoding: request))
        }
        return messages
    }
}

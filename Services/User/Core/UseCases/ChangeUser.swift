import InternalAPI

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
        let origin = RequestOrigin.byOperator(requestID)
        let result = try await store.decide(UserQuestion(.user(id), askedAt: now())) { facts, now in
            try decide(change, facts, origin, now)
        }
        guard result == .done else { return result }
        return try await courier.deliverPending(about: id) ? .done : .unconfirmed
    }

    private func decide(
        _ change: RightsChange, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Outcome<Result> {
        guard let user = facts.holder else { return Outcome(.unknown) }
        let (after, changed) = change.applied(to: user, now: now)
        guard !changed.isEmpty else { return Outcome(.done) }
        guard !user.isForReview || after.role == User.defaultRole else { return Outcome(.forReview) }
        let entry = AuditEntry(.rightsChanged, user, origin, detail: changed.joined(separator: ","))
        let messages = try Self.messages(from: user, to: after, userIDPrefix)
        return Outcome(
            .done,
            [.update(after), .audit(entry)]
                + messages.map { .tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) })
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

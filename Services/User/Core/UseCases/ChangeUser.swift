import InternalAPI

/// Changes a user's role or attributes, or deactivates the user, on request of the operator.
///
/// The outbox rows are written with the change, so that token-service is notified whatever happens to this process afterwards.
struct ChangeUser: Sendable {
    let store: any UserStore
    let courier: OutboxCourier
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// The outcome of a request.
    enum Outcome: Sendable, Equatable {
        /// Token-service has confirmed that it refuses older tokens, or that all sessions are revoked.
        case done
        /// The change is made, but token-service has not confirmed it. The outbox keeps trying.
        case unconfirmed
        case unknown
        /// An account of an app store's reviewers can have no role.
        case forReview
    }

    /// - Throws: `InvalidInput` for an invalid change; `StorageError`.
    func callAsFunction(_ request: ChangeUserRequest, requestID: String?) async throws -> Outcome {
        let change = try RightsChange(
            role: request.role, isActive: request.isActive,
            attributes: try attributes.written(request.attributes ?? [:]))
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        let origin = RequestOrigin.byOperator(requestID)
        let outcome = try await store.decide(UserQuestion(.user(id), askedAt: now())) { facts, now in
            try decide(change, facts, origin, now)
        }
        guard outcome == .done else { return outcome }
        return try await courier.deliverPending(about: id) ? .done : .unconfirmed
    }

    private func decide(
        _ change: RightsChange, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<Outcome> {
        guard let user = facts.holder else { return Verdict(.unknown) }
        let (after, changed) = change.applied(to: user, now: now)
        guard !changed.isEmpty else { return Verdict(.done) }
        guard !user.isForReview || after.role == User.defaultRole else { return Verdict(.forReview) }
        let entry = AuditEntry(.rightsChanged, user, origin, detail: changed.joined(separator: ","))
        let messages = try Self.messages(from: user, to: after, userIDPrefix)
        return Verdict(
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

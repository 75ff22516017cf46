import InternalAPI

/// Changes a user's own profile: the name, the attributes that the policy lets users set, and their own metadata.
///
/// If a value that goes into access tokens changes, the outbox row is written with the change, so that token-service is notified
/// whatever happens to this process afterwards.
struct UpdateProfile: Sendable {
    let store: any UserStore
    let courier: OutboxCourier
    let move: IdentityMove
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` for an invalid name, attribute or patch; `StorageError`; `Unconfirmed`.
    func callAsFunction(
        _ caller: SignedInUser, _ request: UpdateUserRequest, requestID: String?
    ) async throws -> OperationOutcome<UserDetails, BearerBodyRefusal> {
        let change = try ProfileChange(
            name: request.name, removesName: request.removesName ?? false,
            attributes: try attributes.settable(byUser: request.attributes),
            metadata: try request.ownPatch.map { try MetadataChange($0, of: .own) })
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let user = try await store.decide(UserQuestion(.user(caller.id), askedAt: now())) { facts, now in
            try decide(change, facts, origin, now)
        }
        // A repeat confirms what an earlier change has left. Without values in tokens there is nothing to confirm.
        if attributes.hasClaims { try await courier.confirmPending(about: caller.id) }
        return .ownProfile(of: user, idPrefix: userIDPrefix, attributes: attributes)
    }

    /// Decides on the change and returns the user afterwards. A user who is inactive or scheduled for deletion stays unchanged.
    private func decide(
        _ change: ProfileChange, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<User?> {
        guard let user = facts.holder else { return Verdict(nil) }
        let (applied, changed) = try change.applied(to: user, now: now)
        // A repeat changes nothing and is not audited again.
        guard user.isActive, user.deletion == nil, !changed.isEmpty else { return Verdict(user) }
        let entry = AuditEntry(.updated, user, origin, detail: changed.joined(separator: ","))
        let (after, keepsTokens) = try applied.raisingVersion(from: user, attributes)
        let messages = try move.messages(from: user, to: after, .admin, keepsTokens: keepsTokens)
        return Verdict(
            after,
            [.update(after), .audit(entry)]
                + messages.map { .tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) })
    }
}

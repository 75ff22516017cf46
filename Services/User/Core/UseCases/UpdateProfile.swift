import InternalAPI

/// Changes what users may change of their own profiles: name, and the attributes that the policy leaves to users.
struct UpdateProfile: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` for a name or an attribute that cannot be; `StorageError`.
    func callAsFunction(
        _ caller: SignedInUser, _ request: UpdateUserRequest, requestID: String?
    ) async throws -> ProfileOutcome {
        let change = try ProfileChange(
            name: request.name, removesName: request.removesName,
            attributes: try attributes.settable(byUser: request.attributes))
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let user = try await store.decide(UserQuestion(.user(caller.id), askedAt: now())) { facts, now in
            Self.decide(change, facts, origin, now)
        }
        return ProfileOutcome(user, idPrefix: userIDPrefix, attributes: attributes)
    }

    /// The user afterwards, whatever their state: only one who may use their profile is changed.
    private static func decide(
        _ change: ProfileChange, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) -> Verdict<User?> {
        guard let user = facts.holder else { return Verdict(nil) }
        let (after, changed) = change.applied(to: user, now: now)
        // A repeat changes nothing and is no second event.
        guard user.isActive, user.deletion == nil, !changed.isEmpty else { return Verdict(user) }
        let entry = AuditEntry(.updated, user, origin, detail: changed.joined(separator: ","))
        return Verdict(after, [.update(after), .audit(entry)])
    }
}

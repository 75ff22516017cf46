import InternalAPI

/// Changes a user's own profile: the name, and the attributes that the policy lets users set.
struct UpdateProfile: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` for an invalid name or attribute; `StorageError`.
    func callAsFunction(
        _ caller: SignedInUser, _ request: UpdateUserRequest, requestID: String?
    ) async throws -> OperationOutcome<UserDetails, BearerBodyRefusal> {
        let change = try ProfileChange(
            name: request.name, removesName: request.removesName ?? false,
            attributes: try attributes.settable(byUser: request.attributes))
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let user = try await store.decide(UserQuestion(.user(caller.id), askedAt: now())) { facts, now in
            Self.decide(change, facts, origin, now)
        }
        return .profile(of: user, idPrefix: userIDPrefix, attributes: attributes)
    }

    /// Decides on the change and returns the user afterwards. A user who is inactive or scheduled for deletion stays unchanged.
    private static func decide(
        _ change: ProfileChange, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) -> Verdict<User?> {
        guard let user = facts.holder else { return Verdict(nil) }
        let (after, changed) = change.applied(to: user, now: now)
        // A repeat changes nothing and is not audited again.
        guard user.isActive, user.deletion == nil, !changed.isEmpty else { return Verdict(user) }
        let entry = AuditEntry(.updated, user, origin, detail: changed.joined(separator: ","))
        return Verdict(after, [.update(after), .audit(entry)])
    }
}

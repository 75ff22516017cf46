import InternalAPI

/// Changes what a user may change of his own profile: name, and the attributes that the policy leaves to users.
struct UpdateProfile: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// What a request came to.
    enum Result: Sendable, Equatable {
        case profile(ProfileResult)
        case invalidName
        case invalidAttribute(String)
    }

    func callAsFunction(_ caller: SignedInUser, _ request: UpdateUserRequest, requestID: String?) async throws -> Result
    {
        if let name = attributes.unfit(byUser: request.attributes) { return .invalidAttribute(name) }
        let settable = attributes.settable(byUser: request.attributes)
        guard let change = ProfileChange(name: request.name, removesName: request.removesName, attributes: settable)
        else { return .invalidName }
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let user = try await store.decide(UserQuestion(.user(caller.id), askedAt: now())) { facts, now in
            Self.decide(change, facts, origin, now)
        }
        return .profile(ProfileResult(user, idPrefix: userIDPrefix, attributes: attributes))
    }

    /// The user afterwards, whatever their state: only one who may use their profile is changed.
    private static func decide(
        _ change: ProfileChange, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) -> Outcome<User?> {
        guard let user = facts.holder else { return Outcome(nil) }
        let (after, changed) = change.applied(to: user, now: now)
        // A repeat changes nothing and is no second event.
        guard user.isActive, user.deletion == nil, !changed.isEmpty else { return Outcome(user) }
        let entry = AuditEntry(.updated, user, origin, detail: changed.joined(separator: ","))
        return Outcome(after, [.update(after), .audit(entry)])
    }
}

import InternalAPI
import Storage

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
        let user = try await user(caller.id, after: change, origin, now())
        return .profile(ProfileResult(user, idPrefix: userIDPrefix, attributes: attributes))
    }

    /// The user afterwards, whatever his state: only one who may use his profile is changed. Nil for none.
    private func user(
        _ id: UserID, after change: ProfileChange, _ origin: RequestOrigin, _ now: Int64
    ) async throws -> User? {
        try await Decision.untilItHolds { () async throws -> Attempt<User?> in
            guard let user = try await store.user(id) else { return .held(nil) }
            let (after, changed) = change.applied(to: user, now: now)
            // A repeat changes nothing and is no second event.
            guard user.isActive, user.deletion == nil, !changed.isEmpty else { return .held(user) }
            let audit = AuditEntry(
                event: .updated, subject: user.pseudonym, origin: origin, detail: changed.joined(separator: ","))
            return try await store.apply(UserChanges(user: after, audit: audit), to: user, now: now).yielding(after)
        }
    }
}

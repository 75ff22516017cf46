internal import InternalAPI

/// Changes what a user may change of his own profile: name, and the attributes that the policy leaves to users.
struct UpdateProfile: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    let attributes: AttributeRules
    let clock: WallClock

    /// What a request came to.
    enum Result: Sendable, Equatable {
        case profile(ProfileResult)
        case invalidName
        case invalidAttribute
    }

    func update(_ caller: SignedInUser, _ request: UpdateUserRequest, requestID: String?) async throws -> Result {
        guard let settable = attributes.settable(byUser: request.attributes) else { return .invalidAttribute }
        guard let change = ProfileChange(name: request.name, attributes: settable) else { return .invalidName }
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let user = try await store.update(caller.id, change, origin: origin, now: clock.seconds)
        return .profile(ProfileResult(user, idPrefix: userIDPrefix, attributes: attributes))
    }
}

internal import AuthAPI

/// Changes what a user may change of his own profile: name and `isChecker`.
struct UpdateProfile: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    let clock: WallClock

    /// What a request came to.
    enum Result: Sendable, Equatable {
        case profile(ProfileResult)
        case invalidName
    }

    func update(_ caller: SignedInUser, _ update: UserUpdate, requestID: String?) async throws -> Result {
        guard let change = ProfileChange(update) else { return .invalidName }
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let user = try await store.update(caller.id, change, origin: origin, now: clock.seconds)
        return .profile(ProfileResult(user, idPrefix: userIDPrefix))
    }
}

internal import InternalAPI

/// Takes a scheduled removal back, at the operator's word; the user's sessions are over all the same.
struct RestoreAccount: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    let clock: WallClock

    func restore(_ request: RestoreUserRequest, requestID: String?) async throws -> RestoreOutcome {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        let origin = RequestOrigin(requestID: requestID, method: RequestOrigin.operatorMethod)
        return try await store.restore(id, origin: origin, now: clock.seconds)
    }
}

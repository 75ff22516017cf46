import InternalAPI

/// Records that another kind of device than the one that signed in has refreshed a session, once a session and day.
///
/// Nothing else is recorded of a refresh.
struct NoteOtherDevice: Sendable {
    let store: any UserStore
    /// `nil` if the policy has `anomalies: off`.
    let watch: SignInWatch?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(
        _ caller: SignedInUser, requestID: String?
    ) async throws -> OperationOutcome<Done, BearerRefusal> {
        guard let watch else { return .answer(Done()) }
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let question = UserQuestion(.account(caller.id), askedAt: now(), readsOrigins: true)
        let isNew = try await store.decide(question) { facts, now in
            guard let user = facts.holder else { return Verdict(false) }
            return try watch.refresh(user, session: caller.sessionID, facts, origin, now)
        }
        if isNew { SignInWatch.count(.refresh) }
        return .answer(Done())
    }
}

import InternalAPI

/// Revokes one of the bearer's own sessions, which may be the current one (security guide R-39), and those in which the bearer acts
/// as others.
///
/// Safe to repeat: a session that is already revoked is a success. Returns only once the revocation is durable here and known to
/// Redis.
struct EndOwnSession: Sendable {
    let bearers: BearerSessions
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Refuses another user's session like one that never existed.
    func callAsFunction(
        _ text: String, accessToken: String
    ) async throws -> OperationOutcome<Done, EndOwnSessionRefusal> {
        let now = now()
        return try await bearers.admit(accessToken, now: now) { own in
            // One session has one spelling.
            guard let id = SessionID(text: text), id.text == text,
                let session = try await store.durableSession(named: id), session.userID == own.userID
            else { return .refused(.notFound, title: "The user has no such session") }
            let revocations = try await store.endWithActing(session, reason: .device, now: now)
            try await publisher.publish(revocations)
            RevocationReason.device.count(revocations)
            return .answer(Done())
        }
    }
}

import InternalAPI

/// Revokes one of the bearer's own sessions, which may be the current one (security guide R-39).
///
/// Safe to repeat: a session that is already revoked is a success. Returns only once the revocation is durable here and known to
/// Redis.
struct EndOwnSession: Sendable {
    /// The outcome of the request.
    enum Outcome: Sendable, Equatable {
        case done
        /// The bearer has no such session.
        case notFound
        case invalidToken
        case inactive
    }

    let bearers: BearerSessions
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Returns: `notFound` for another user's session as well as for one that never existed.
    func callAsFunction(_ text: String, accessToken: String) async throws -> Outcome {
        let now = now()
        switch try await bearers.standing(of: accessToken, now: now) {
        case .live(let session, _): return try await end(text, ofUser: session.userID, now)
        case .refused, .ended: return .invalidToken
        case .inactive: return .inactive
        }
    }

    private func end(_ text: String, ofUser userID: String, _ now: Int64) async throws -> Outcome {
        // One session has one spelling.
        guard let id = SessionID(text: text), id.text == text,
            let session = try await store.durableSession(named: id), session.userID == userID
        else { return .notFound }
        let revocations = try await store.end(id, reason: .device, now: now).map { [$0] } ?? []
        try await publisher.publish(revocations)
        RevocationReason.device.count(revocations)
        return .done
    }
}

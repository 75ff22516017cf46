import InternalAPI

/// Ends one of the bearer's own sessions, the present one if he names that (security guide R-39).
///
/// Safe to repeat: a session that has ended already is a success. Returns only once the end is durable here and known to
/// Redis.
struct EndOwnSession: Sendable {
    /// What came of it.
    enum Outcome: Sendable, Equatable {
        case done
        /// He has no such session.
        case notFound
        case invalidToken
        case inactive
    }

    let bearers: BearerSessions
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Returns: `notFound` for another user's session as for one that never was.
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
            let session = try await store.session(named: id), session.userID == userID
        else { return .notFound }
        let revocations = try await store.end(id, reason: .device, now: now).map { [$0] } ?? []
        try await publisher.publish(revocations)
        RevocationReason.device.count(revocations)
        return .done
    }
}

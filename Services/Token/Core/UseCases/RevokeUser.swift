import InternalAPI

/// Ends all sessions of a user and refuses grants of a lower epoch from now on (design section 4, *Epoch*).
///
/// Safe to repeat: sessions that began with the epoch, or later, live on.
struct RevokeUser: Sendable {
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns once the end is durable here and known to Redis.
    func callAsFunction(_ request: RevokeUserRequest) async throws {
        let revocations = try await store.endAll(
            ofUser: request.userID, below: request.epoch, reason: request.reason, now: now())
        try await publisher.publish(revocations)
        request.reason.count(revocations)
    }
}

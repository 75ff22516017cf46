import InternalAPI
import Storage

/// Forgets a removed user: revokes the user's sessions, then removes their rows, and forgets the epoch once no grant of the user is
/// valid.
///
/// The audit stays. Safe to repeat.
struct RemoveUser: Sendable {
    /// How long the epoch is kept, in seconds: grants live for a minute, and clocks may be set back as far as used grants allow
    /// for.
    static let epochOutlivesSeconds: Int64 = 3_660

    let store: any SessionStore
    let publisher: RevocationPublisher
    let engine: any StorageEngine
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns once everything is durable here and Redis knows every revoked session.
    func callAsFunction(_ request: RemoveUserRequest) async throws {
        let now = now()
        let revocations =
            try await store.endAll(
                ofUser: request.userID, below: request.epoch, sparing: .nothing, reason: .deleted, now: now)
            + store.endActing(by: request.userID, now: now)
        try await publisher.publish(revocations)
        RevocationReason.deleted.count(revocations)
        while try await store.removeEnded(ofUser: request.userID, limit: RevocationLimits.removedRowsMax) > 0 {}
        try await store.forgetEpoch(ofUser: request.userID, at: now + Self.epochOutlivesSeconds, now: now)
        engine.wipeRemoved()
    }
}

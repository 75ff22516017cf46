import InternalAPI

/// Revokes all of the bearer's sessions but the current one, and those in which the bearer acts as others.
///
/// Returns only once the revocations are durable here and known to Redis.
struct EndOtherSessions: Sendable {
    let bearers: BearerSessions
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(accessToken: String) async throws -> OperationOutcome<Done, BearerRefusal> {
        let now = now()
        return try await bearers.admit(accessToken, now: now) { session in
            let revocations =
                try await store.endAll(ofUser: session.userID, except: session.id, reason: .device, now: now)
                + store.endActing(by: session.userID, now: now)
            try await publisher.publish(revocations)
            RevocationReason.device.count(revocations)
            return .answer(Done())
        }
    }
}

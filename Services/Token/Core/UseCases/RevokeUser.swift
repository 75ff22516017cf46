import InternalAPI

/// Revokes all sessions of a user, except for those that the request may spare, and refuses grants of a lower epoch from now on
/// (design section 4, *Epoch*).
///
/// The sessions in which the user acts as others end too. Safe to repeat: sessions that began with the epoch, or later, stay live,
/// and so do the spared ones. An id that is not one of the user's sessions spares nothing.
struct RevokeUser: Sendable {
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns once the revocation is durable here and known to Redis.
    func callAsFunction(_ request: RevokeUserRequest) async throws {
        let revocations =
            try await store.endAll(
                ofUser: request.userID, below: request.epoch,
                sparing: SparedSessions(request), reason: request.reason, now: now())
            + store.endActing(by: request.userID, now: now())
        try await publisher.publish(revocations)
        request.reason.count(revocations)
    }
}

extension SparedSessions {
    fileprivate init(_ request: RevokeUserRequest) {
        if let method = request.method {
            self = .otherMethods(than: method)
        } else {
            self = request.sparedSession.flatMap { SessionID(text: $0) }.map { .one($0) } ?? .nothing
        }
    }
}

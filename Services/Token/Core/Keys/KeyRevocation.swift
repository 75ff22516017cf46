/// A signing key whose tokens are to be refused everywhere.
struct KeyRevocation: Sendable, Equatable {
    /// A gateway keeps its last good key set for a day while token-service is down, and a stolen key signs tokens of
    /// any lifetime: the mark stays until no set can hold the key any more, with much to spare.
    static let lifetimeSeconds: Int64 = 7 * 86_400

    let keyID: String
    /// Until when it must be known; Unix seconds.
    let holdsUntil: Int64
}

/// What the publishing of revocations needs to know of signing keys.
protocol KeyRevocationStore: Sendable {
    /// Revocations that Redis may not know yet.
    func unpublishedRevocations() async throws -> [KeyRevocation]
    /// Revocations that still matter.
    func liveRevocations(now: Int64) async throws -> [KeyRevocation]
    /// Notes that Redis knows.
    func markRevocationsPublished(_ keyIDs: [String]) async throws
}

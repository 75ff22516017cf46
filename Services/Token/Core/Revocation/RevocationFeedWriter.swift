/// The feed by which gateways learn of revocations: Redis, or a double in tests.
protocol RevocationFeedWriter: Sendable {
    /// Publishes `revocations` at once.
    func publish(_ revocations: [Revocation], now: Int64) async throws

    /// Publishes revocations of signing keys.
    func publish(_ revocations: [KeyRevocation], now: Int64) async throws

    /// Publishes revocations of tokens below a version. A known floor is never lowered.
    func publish(_ floors: [VersionFloor], now: Int64) async throws

    /// Tells gateways that the key set has changed.
    func announceKeys() async throws

    /// Whether the list is complete: no entry was lost since it was last rebuilt.
    func isComplete() async throws -> Bool

    /// Begins a rebuild and returns what identifies it.
    func beginRebuild() async throws -> RebuildTicket

    /// Writes revocations of a rebuild.
    func restore(_ revocations: [Revocation], now: Int64) async throws

    /// Writes revocations of signing keys for a rebuild.
    func restore(_ revocations: [KeyRevocation], now: Int64) async throws

    /// Writes revocations of tokens below a version for a rebuild.
    func restore(_ floors: [VersionFloor], now: Int64) async throws

    /// Declares the list complete, unless another rebuild has begun or the list was lost again meanwhile.
    /// - Returns: whether it is complete.
    func finishRebuild(_ ticket: RebuildTicket) async throws -> Bool
}

/// A rebuild under way.
struct RebuildTicket: Sendable, Equatable {
    let nonce: String
    /// The new value of `rev:generation`.
    let mark: String
}

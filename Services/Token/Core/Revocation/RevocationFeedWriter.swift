/// Where revocations become known to gateways: Redis, or a double in tests.
protocol RevocationFeedWriter: Sendable {
    /// Makes `revocations` known at once.
    func publish(_ revocations: [Revocation], now: Int64) async throws

    /// The same for signing keys.
    func publish(_ revocations: [KeyRevocation], now: Int64) async throws

    /// The same for tokens below a version; a floor that is known already is never lowered.
    func publish(_ floors: [VersionFloor], now: Int64) async throws

    /// Tells gateways that the key set has changed.
    func announceKeys() async throws

    /// Whether the list is complete: nothing was lost since it was last rebuilt.
    func isComplete() async throws -> Bool

    /// Begins a rebuild and returns what identifies it.
    func beginRebuild() async throws -> RebuildTicket

    /// Writes revocations of a rebuild.
    func restore(_ revocations: [Revocation], now: Int64) async throws

    /// The same for signing keys.
    func restore(_ revocations: [KeyRevocation], now: Int64) async throws

    /// The same for tokens below a version.
    func restore(_ floors: [VersionFloor], now: Int64) async throws

    /// Declares the list complete, unless another rebuild has begun or the list was lost again meanwhile.
    /// - Returns: whether it is.
    func finishRebuild(_ ticket: RebuildTicket) async throws -> Bool
}

/// A rebuild under way.
struct RebuildTicket: Sendable, Equatable {
    let nonce: String
    /// What `rev:generation` is to become.
    let mark: String
}

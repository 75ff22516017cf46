import AccessTokens

/// The verification keys that a gateway knows, as one value that is replaced as a whole.
struct KeySet: Sendable {
    /// The version of the set, which rises with each change. Each cached token belongs to one version.
    let version: UInt64
    let verifier: AccessTokenVerifier
    /// The time at which the fetch was sent, in monotonic nanoseconds. The set contains every key published before it.
    let fetchedAt: UInt64
    /// Verifies clients' tokens, which have an audience of their own.
    let clientVerifier: AccessTokenVerifier
    /// Verifies the tokens of people who act as users.
    let actingVerifier: AccessTokenVerifier

    init(version: UInt64, verifier: AccessTokenVerifier, fetchedAt: UInt64) {
        (self.version, self.verifier, self.fetchedAt) = (version, verifier, fetchedAt)
        clientVerifier = verifier.with(audience: ClientAudience.of(verifier.audience))
        actingVerifier = verifier.with(audience: ActingAudience.of(verifier.audience))
    }

    /// - Parameter now: monotonic nanoseconds.
    func age(now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now - min(now, fetchedAt))) }
}

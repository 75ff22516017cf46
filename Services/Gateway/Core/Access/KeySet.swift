import AccessTokens

/// The verification keys that a gateway knows, as one value that is replaced as a whole.
struct KeySet: Sendable {
    /// The version of the set, which rises with each change. Each cached token belongs to one version.
    let version: UInt64
    let verifier: AccessTokenVerifier
    /// The time at which the fetch was sent, in monotonic nanoseconds. The set contains every key published before it.
    let fetchedAt: UInt64

    /// - Parameter now: monotonic nanoseconds.
    func age(now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now - min(now, fetchedAt))) }
}

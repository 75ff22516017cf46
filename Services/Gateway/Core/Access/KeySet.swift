import AccessTokens

/// The verification keys that a gateway holds, as one value that is replaced whole.
struct KeySet: Sendable {
    /// Rises with each change; cached tokens belong to one version.
    let version: UInt64
    let verifier: AccessTokenVerifier
    /// Monotonic nanoseconds at which the fetch was sent: every key published before is here.
    let fetchedAt: UInt64

    /// - Parameter now: monotonic nanoseconds.
    func age(now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now - min(now, fetchedAt))) }
}

internal import AccessTokens

/// The verification keys that a gateway holds, as one value that is replaced whole.
struct KeySet: Sendable {
    /// Rises with each change; cached tokens belong to one version.
    let version: UInt64
    let verifier: AccessTokenVerifier
    /// Monotonic nanoseconds at which the fetch was sent: every key published before is here.
    let fetchedAt: UInt64

    /// Whether an unknown `kid` may only mean that we have not heard of a new key.
    func isStale(now: UInt64, maxAgeSeconds: Int) -> Bool {
        now > fetchedAt &+ UInt64(clamping: maxAgeSeconds) &* 1_000_000_000
    }
}

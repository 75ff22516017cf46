import AccessTokens

/// The public keys that the gateway hands out (RFC 7517).
struct PublishedKeys: Sendable {
    /// How long a copy of the identity proofs' keys is good: they change by hand alone, the new one before it signs.
    private static let identityAgeSecondsMax = 300

    /// A key set, and how long a copy of it is good.
    struct Copy: Sendable {
        let keys: JSONWebKeySet
        let ageSecondsMax: Int
    }

    let keys: KeySetRefresher
    /// Nil: no route of the policy asks for proofs of identity.
    let identity: JSONWebKeySet?
    /// A key signs only after it has been published for longer than this; no copy may be older when it does.
    let ageSecondsMax: Int

    /// Those of access tokens, for upstreams that verify them.
    func accessTokens() throws(Refusal) -> Copy {
        guard let published = keys.published(now: MonotonicTime.nanoseconds()) else { throw .unavailable }
        // Our copy has an age of its own, which counts.
        return Copy(keys: published.keys, ageSecondsMax: max(0, ageSecondsMax - published.ageSeconds))
    }

    /// Those of the proofs of identity.
    func identityProofs() throws(Refusal) -> Copy {
        guard let identity else { throw .notFound }
        return Copy(keys: identity, ageSecondsMax: Self.identityAgeSecondsMax)
    }
}

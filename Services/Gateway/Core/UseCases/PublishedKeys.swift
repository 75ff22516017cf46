import AccessTokens

/// The public keys that the gateway publishes (RFC 7517).
struct PublishedKeys: Sendable {
    /// How long a copy of the identity proofs' keys is good. They are changed only by hand, and a new key is published before it
    /// signs.
    private static let identityAgeSecondsMax = 300

    /// A key set, and how long a copy of it is good.
    struct Copy: Sendable {
        let keys: JSONWebKeySet
        let ageSecondsMax: Int
    }

    let keys: KeySetRefresher
    /// The keys of identity proofs; `nil` if no route of the policy needs them.
    let identity: JSONWebKeySet?
    /// The greatest age of a copy of the access tokens' keys. A key signs only after it has been published for longer than this.
    let ageSecondsMax: Int

    /// Returns the keys of access tokens, for upstreams that verify them.
    func accessTokens() throws(Refusal) -> Copy {
        guard let published = keys.published(now: MonotonicTime.nanoseconds()) else { throw .unavailable }
        // The gateway's own copy has an age, which counts.
        return Copy(keys: published.keys, ageSecondsMax: max(0, ageSecondsMax - published.ageSeconds))
    }

    /// Returns the keys of identity proofs.
    func identityProofs() throws(Refusal) -> Copy {
        guard let identity else { throw .notFound }
        return Copy(keys: identity, ageSecondsMax: Self.identityAgeSecondsMax)
    }
}

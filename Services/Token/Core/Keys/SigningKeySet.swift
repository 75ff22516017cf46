import AccessTokens
import InternalAPI

/// The signing keys at one moment.
struct SigningKeySet: Sendable {
    private let signing: [SignatureAlgorithm: SigningKey]
    /// All keys that verify, by `kid`.
    let verification: VerificationKeySet
    /// The published keys, which are public keys only.
    let published: JSONWebKeySet

    /// - Parameter keys: the keys, oldest first; if several sign for one algorithm, the newest is used.
    init(_ keys: [(key: SigningKey, state: KeyState)]) throws(KeyError) {
        var signing: [SignatureAlgorithm: SigningKey] = [:]
        for (key, state) in keys where state == .signing { signing[key.algorithm] = key }
        self.signing = signing
        let all = keys.map(\.key.verificationKey)
        verification = try VerificationKeySet(all)
        published = JSONWebKeySet(keys: all.compactMap(\.jwk))
    }

    /// Returns the key that signs for `algorithm`.
    func signingKey(for algorithm: SignatureAlgorithm) -> SigningKey? { signing[algorithm] }
}

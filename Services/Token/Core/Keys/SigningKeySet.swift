import AccessTokens
import InternalAPI

/// The signing keys of one moment.
struct SigningKeySet: Sendable {
    private let signing: [SignatureAlgorithm: SigningKey]
    /// All keys that verify, by `kid`.
    let verification: VerificationKeySet
    /// What is published: public keys alone.
    let published: JSONWebKeySet

    /// - Parameter keys: oldest first; of several that sign for one algorithm the newest does.
    init(_ keys: [(key: SigningKey, state: KeyState)]) throws(KeyError) {
        var signing: [SignatureAlgorithm: SigningKey] = [:]
        for (key, state) in keys where state == .signing { signing[key.algorithm] = key }
        self.signing = signing
        let all = keys.map(\.key.verificationKey)
        verification = try VerificationKeySet(all)
        published = JSONWebKeySet(keys: all.compactMap(\.jwk))
    }

    /// The key that signs for `algorithm`.
    func signingKey(for algorithm: SignatureAlgorithm) -> SigningKey? { signing[algorithm] }
}

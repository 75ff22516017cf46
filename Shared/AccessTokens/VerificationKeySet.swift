package import CryptoPrimitives

/// The keys of one issuer by `kid`; immutable, so that a lookup needs no lock.
package struct VerificationKeySet: Sendable {
    private let keys: [String: VerificationKey]

    /// Creates the set of `keys`.
    ///
    /// - Throws: `.invalidKeyID` for a key without a `kid`, `.duplicateKeyID`, `.tooManyKeys`.
    package init(_ keys: [VerificationKey]) throws(KeyError) {
        guard keys.count <= TokenLimits.keyCountMax else { throw .tooManyKeys(maximum: TokenLimits.keyCountMax) }
        var byID: [String: VerificationKey] = [:]
        for key in keys {
            guard KeyID.isValid(key.keyID) else { throw .invalidKeyID }
            guard byID.updateValue(key, forKey: key.keyID) == nil else { throw .duplicateKeyID(key.keyID) }
        }
        self.keys = byID
    }

    /// Creates the set of the published keys in `jwks` and, for HS256, the secrets shared with the signer.
    ///
    /// - Throws: The error of any single invalid key, which makes the whole set invalid.
    package init(_ jwks: JSONWebKeySet, secrets: KeyRing? = nil) throws(KeyError) {
        guard jwks.keys.count <= TokenLimits.keyCountMax else { throw .tooManyKeys(maximum: TokenLimits.keyCountMax) }
        var keys: [VerificationKey] = []
        for jwk in jwks.keys { keys.append(try VerificationKey(jwk: jwk)) }
        for key in secrets?.all ?? [] { keys.append(try VerificationKey(keyID: key.id, secret: key.secret)) }
        try self.init(keys)
    }

    /// The key with the id `keyID`; there is no default key (security guide R-07).
    package subscript(keyID: String) -> VerificationKey? { keys[keyID] }

    package var keyIDs: [String] { keys.keys.sorted() }
    package var isEmpty: Bool { keys.isEmpty }
}

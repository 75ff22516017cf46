import CryptoPrimitives

/// A key that verifies signatures with its algorithm.
package struct VerificationKey: Sendable {
    enum Material: Sendable {
        case asymmetric(LibcryptoKey)
        case secret(HMACSHA256)
    }

    /// The minimum size of a secret: a shorter one would be weaker than the digest (RFC 7518 §3.2).
    package static let secretBytesMin = 32

    /// The `kid`; empty for a single key without one.
    package let keyID: String
    package let algorithm: SignatureAlgorithm
    private let material: Material

    /// Reads the key of a JWK.
    ///
    /// - Throws: `KeyError` for a malformed, unsupported or weak key, a point off its curve, or an invalid `kid`.
    package init(jwk: JSONWebKey) throws(KeyError) {
        guard jwk.kid.map(KeyID.isValid) ?? true else { throw .invalidKeyID }
        let components = try jwk.components()
        try components.checkStrength()
        self.init(
            keyID: jwk.kid ?? "", key: try LibcryptoKey(publicKeyDER: components.subjectPublicKeyInfo))
    }

    /// Creates an HS256 key from a secret.
    ///
    /// - Throws: `.weakKey` for fewer than 32 bytes or a public key, `.invalidKeyID`.
    package init(keyID: String, secret: [UInt8]) throws(KeyError) {
        guard KeyID.isValid(keyID) else { throw .invalidKeyID }
        try self.init(loneSecret: secret, keyID: keyID)
    }

    /// Creates an HS256 key from a secret; the `kid` is optional.
    init(loneSecret secret: [UInt8], keyID: String = "") throws(KeyError) {
        guard secret.count >= Self.secretBytesMin else {
            throw .weakKey("an HS256 secret of fewer than \(Self.secretBytesMin) bytes")
        }
        guard !PublicKeyForm.isRecognized(secret) else { throw .weakKey("a public key as an HS256 secret") }
        self.keyID = keyID
        algorithm = .HS256
        material = .secret(HMACSHA256(key: secret))
    }

    init(keyID: String, key: LibcryptoKey) {
        self.keyID = keyID
        algorithm = key.components.algorithm
        material = .asymmetric(key)
    }

    /// The key in its published form; `nil` for HS256, which must not be published.
    package var jwk: JSONWebKey? {
        switch material {
        case .asymmetric(let key): JSONWebKey(key.components, kid: keyID)
        case .secret: nil
        }
    }

    /// Whether `signature`, in the form of RFC 7518 §3 and RFC 8037 §3.1, is this key's signature of `message`.
    ///
    /// May be called from many threads at once.
    package func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        isValid(signature: signature, for: message.span)
    }

    func isValid(signature: [UInt8], for message: Span<UInt8>) -> Bool {
        switch material {
        case .asymmetric(let key): key.isValid(signature: signature, for: message)
        case .secret(let hmac): hmac.isValid(signature, for: message)
        }
    }
}

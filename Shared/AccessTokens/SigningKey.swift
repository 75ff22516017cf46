import CryptoPrimitives

/// A signing key with its `kid` and its algorithm.
package struct SigningKey: Sendable {
    private enum Material: Sendable {
        case asymmetric(LibcryptoKey)
        case secret(HMACSHA256)
    }

    package let keyID: String
    package let algorithm: SignatureAlgorithm
    private let material: Material
    /// The key in PKCS#8 DER; for HS256 the secret itself.
    package let privateKeyDER: [UInt8]
    /// The key that verifies this key's signatures.
    package let verificationKey: VerificationKey

    /// Generates a random key.
    package static func generate(keyID: String, algorithm: SignatureAlgorithm) throws(KeyError) -> SigningKey {
        guard !algorithm.isSymmetric else {
            return try SigningKey(keyID: keyID, secret: SecureRandom.bytes(VerificationKey.secretBytesMin))
        }
        return try SigningKey(keyID: keyID, algorithm: algorithm, key: try LibcryptoKey.generate(algorithm))
    }

    /// Reads the `privateKeyDER` of another `SigningKey`.
    ///
    /// - Throws: `KeyError` for a malformed or weak key, one whose type does not match `algorithm`, or an invalid `kid`.
    package init(keyID: String, algorithm: SignatureAlgorithm, privateKeyDER: [UInt8]) throws(KeyError) {
        if algorithm.isSymmetric {
            try self.init(keyID: keyID, secret: privateKeyDER)
        } else {
            try self.init(keyID: keyID, algorithm: algorithm, key: try LibcryptoKey(privateKeyDER: privateKeyDER))
        }
    }

    /// Reads an RSA, P-256 or Ed25519 key from an unencrypted PEM file.
    package init(keyID: String, algorithm: SignatureAlgorithm, privateKeyPEM: String) throws(KeyError) {
        try self.init(keyID: keyID, algorithm: algorithm, key: try LibcryptoKey(privateKeyPEM: privateKeyPEM))
    }

    private init(keyID: String, secret: [UInt8]) throws(KeyError) {
        verificationKey = try VerificationKey(keyID: keyID, secret: secret)
        self.keyID = keyID
        algorithm = .HS256
        material = .secret(HMACSHA256(key: secret))
        privateKeyDER = secret
    }

    private init(keyID: String, algorithm: SignatureAlgorithm, key: LibcryptoKey) throws(KeyError) {
        guard KeyID.isValid(keyID) else { throw .invalidKeyID }
        guard key.components.algorithm == algorithm else { throw .wrongKeyType(algorithm) }
        guard !WellKnownKeys.contains(key.components) else { throw .weakKey("a key that stands in public documents") }
        self.keyID = keyID
        self.algorithm = algorithm
        material = .asymmetric(key)
        privateKeyDER = try key.privateKeyDER()
        verificationKey = VerificationKey(keyID: keyID, key: key)
    }

    /// Returns the signature of `message` in the form of RFC 7518 §3 and RFC 8037 §3.1.
    ///
    /// RS256 takes 0.3–0.8 ms of CPU. May be called from many threads at once.
    package func sign(_ message: [UInt8]) throws(KeyError) -> [UInt8] {
        switch material {
        case .asymmetric(let key): try key.signature(of: message)
        case .secret(let hmac): hmac.authenticate(message)
        }
    }
}

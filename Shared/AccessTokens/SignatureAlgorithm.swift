/// The supported JWS algorithms, by their names in `alg` (RFC 7518 §3.1, RFC 8037 §3.1).
package enum SignatureAlgorithm: String, Codable, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case RS256
    /// ECDSA on P-256 with SHA-256.
    case ES256
    /// Ed25519; Ed448 is not supported.
    case EdDSA
    /// HMAC with SHA-256: every verifier can sign.
    case HS256

    /// Whether verifiers have the signer's secret.
    package var isSymmetric: Bool { self == .HS256 }
}

import AccessTokens
import CryptoPrimitives

/// An identity token as a client presents it: taken apart, and not to be believed yet.
struct IdentityToken: Sendable {
    let jws: CompactJWS
    let keyID: String

    /// Reads a token's form and header.
    init(_ text: String) throws(IdentityTokenRejection) {
        do throws(TokenRejection) { jws = try CompactJWS(Array(text.utf8)) } catch {
            throw IdentityTokenRejection(error)
        }
        guard let keyID = jws.header.keyID, KeyID.isValid(keyID) else { throw .unknownKey }
        self.keyID = keyID
    }

    /// The id of the proof that the token is.
    ///
    /// It derives from what is signed and never from the signature, of which there can be more than one: an ES256 signature
    /// has a twin that is as good. It begins with the time, so that what is stored together lies together.
    func proofID(issuer: String, issuedAt: Int64) -> String {
        let name = Array("latchkey:identity-token:\(issuer.utf8.count):\(issuer)".utf8) + jws.signingInput
        let time = Hex.encode(BigEndian.bytes(UInt64(clamping: issuedAt), count: 4))
        return time + Hex.encode(SHA256.hash(name).prefix(24))
    }
}

/// Why an identity token is refused; the raw value is for audit and metrics, and no client learns it.
enum IdentityTokenRejection: String, Error, Sendable, CaseIterable {
    /// Not three base64url parts, not strict JSON, or a header that cannot be read.
    case malformed
    case tooLarge = "too_large"
    /// `alg` is not the one that the policy names.
    case wrongAlgorithm = "wrong_algorithm"
    /// `crit` or `b64`: no extension is understood.
    case critical
    /// A `typ` other than JWT, or a token about events, such as a logout.
    case wrongType = "wrong_type"
    /// No `kid`, or none of the provider's keys.
    case unknownKey = "unknown_key"
    case badSignature = "bad_signature"
    case missingClaim = "missing_claim"
    case invalidClaim = "invalid_claim"
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    case expired
    case notYetValid = "not_yet_valid"
    /// Issued more than 24 hours ago.
    case tooOld = "too_old"
    /// The token's nonce, the request's, or both do not fit the policy's rule.
    case wrongNonce = "wrong_nonce"

    init(_ rejection: TokenRejection) {
        self =
            switch rejection {
            case .malformed: .malformed
            case .tooLarge: .tooLarge
            case .unsupportedAlgorithm, .algorithmMismatch: .wrongAlgorithm
            case .invalidKeyID, .unknownKey: .unknownKey
            case .critical: .critical
            case .wrongType: .wrongType
            case .badSignature: .badSignature
            case .missingClaim: .missingClaim
            case .invalidClaim: .invalidClaim
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .wrongIssuer: .wrongIssuer
            case .wrongAudience: .wrongAudience
            }
    }
}

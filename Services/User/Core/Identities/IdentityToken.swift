import AccessTokens
import CryptoPrimitives

/// An identity token from a client: parsed, but not verified yet.
struct IdentityToken: Sendable {
    let jws: CompactJWS

    /// Reads a token's form and header.
    init(_ text: String) throws(IdentityTokenRejection) {
        do throws(TokenRejection) {
            jws = try CompactJWS(Array(text.utf8), acceptsEd25519Name: true, acceptsNulls: true)
        } catch {
            throw IdentityTokenRejection(error)
        }
    }

    /// The `kid`, or `nil` if there is none. It is only compared with the provider's own.
    var keyID: String? { jws.header.keyID }

    /// The header's `typ` in lower case, without the `application/` that is optional (RFC 7515 section 4.1.9); `nil` if there is
    /// none.
    var type: String? {
        jws.header.type.map { type in
            let (type, prefix) = (type.lowercased(), "application/")
            return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
        }
    }

    /// The token's `iss` before anything is verified, which selects the provider whose rules and keys apply.
    func statedIssuer() throws(IdentityTokenRejection) -> String {
        do throws(TokenRejection) {
            return try ClaimReader(foreign: try jws.unverifiedPayload()).string("iss")
        } catch {
            throw IdentityTokenRejection(error)
        }
    }

    /// Derives the id of the proof from the token.
    ///
    /// The id depends on the signed content and never on the signature, since there can be several valid signatures: each ES256
    /// signature has a second valid form. The id begins with the time, so that ids of about the same time are stored together.
    func proofID(issuer: String, issuedAt: Int64) -> String {
        let name = Array("latchkey:identity-token:\(issuer.utf8.count):\(issuer)".utf8) + jws.signingInput
        let time = Hex.encode(BigEndian.bytes(UInt64(clamping: issuedAt), count: 4))
        return time + Hex.encode(SHA256.hash(name).prefix(24))
    }
}

/// The reason why an identity token is refused. The raw value is for audit and metrics, and is never sent to clients.
enum IdentityTokenRejection: String, Error, Sendable, CaseIterable {
    /// Not three base64url parts, not strict JSON, or a header that cannot be read.
    case malformed
    case tooLarge = "too_large"
    /// `alg` is not the algorithm in the policy.
    case wrongAlgorithm = "wrong_algorithm"
    /// The header has `crit` or `b64`, but no extension is supported.
    case critical
    /// A `typ` other than JWT, or a token about events, such as a logout.
    case wrongType = "wrong_type"
    /// The provider has no key with the token's `kid`, or several keys for a token without one.
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
    /// The nonces of the token and of the request do not match, or the policy's rule for nonces is not met.
    case wrongNonce = "wrong_nonce"
    /// The provider was asked to authenticate the person again, and has not.
    case oldAuthentication = "old_authentication"
    /// A phone token with a number that Firebase makes up for tests, in production.
    case testNumber = "test_number"

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

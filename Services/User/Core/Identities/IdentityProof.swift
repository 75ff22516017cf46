import CryptoPrimitives
import InternalAPI

/// user-service's own proof that an identity token has verified an identity (design section 4, step 2).
///
/// `resolve` accepts it like an attestation. A token serves one call: the call that presented it is part of the proof, and the
/// result is stored with that call.
struct IdentityProof: SealedStatement, Equatable {
    static let kind = "identity proof"
    static let lifetimeSeconds: Int64 = 60

    /// The id of the token, which is the same for each presentation. The grant's id derives from it.
    let proofID: String
    let identity: ProvedIdentity
    /// The token's `iat`, in Unix seconds.
    let issuedAt: Int64
    /// Unix time in seconds until which the token could be presented again.
    let usableUntil: Int64
    /// The tag of the call that presented the token, in hexadecimal digits.
    let call: String
    /// Apple's authorization code that came with the token.
    let code: AuthorizationCode?
    let expiresAt: Int64

    /// - Parameter now: Unix time in seconds.
    init(_ verified: VerifiedIdentity, _ call: CallTag, code: AuthorizationCode? = nil, now: Int64) {
        proofID = verified.proofID
        identity = verified.identity
        issuedAt = verified.issuedAt
        usableUntil = verified.usableUntil
        self.call = Hex.encode(call.bytes)
        self.code = code
        expiresAt = now + Self.lifetimeSeconds
    }

    /// The sign-in method for audit, metrics and sessions: `apple`, or `oidc:` and the provider's name.
    var method: String {
        identity.atProvider.map { identity.kind == .apple ? $0.provider : "\(identity.kind.rawValue):\($0.provider)" }
            ?? identity.kind.rawValue
    }
}

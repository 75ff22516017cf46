import CryptoPrimitives
import InternalAPI
import Policies

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
    /// The name of the service whose token proves a phone number; `nil` for any other identity.
    private let phoneProvider: String?

    /// - Parameters:
    ///   - phoneProvider: the name of the service whose token proves a phone number.
    ///   - now: Unix time in seconds.
    init(
        _ verified: VerifiedIdentity, _ call: CallTag, code: AuthorizationCode? = nil, phoneProvider: String? = nil,
        now: Int64
    ) {
        self.phoneProvider = phoneProvider
        proofID = verified.proofID
        identity = verified.identity
        issuedAt = verified.issuedAt
        usableUntil = verified.usableUntil
        self.call = Hex.encode(call.bytes)
        self.code = code
        expiresAt = now + Self.lifetimeSeconds
    }

    /// The sign-in method for audit, metrics and sessions: `apple`, or `oidc:` or `phone:` and the provider's name.
    var method: String {
        if let phoneProvider { return SignInMethod.phoneTokens(phoneProvider) }
        return identity.atProvider.map { SignInMethod.identityProvider($0.provider) } ?? identity.kind.rawValue
    }
}

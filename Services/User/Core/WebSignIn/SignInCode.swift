import CryptoPrimitives
import InternalAPI

/// The code that a sign-in in a browser brings to the app. It is worth nothing without the app's verifier.
///
/// Like an identity token it serves one call, which is stored in the transaction of the sign-in.
struct SignInCode: WebSignInContent, Equatable {
    static let kind = "code"
    static let lifetimeSeconds: Int64 = 60
    private static let idByteCount = 16

    /// Identifies the code among those for which a wrong verifier came.
    let id: String
    let provider: String
    let challenge: String
    /// The identity that the provider's token verified.
    let verified: VerifiedIdentityToken
    /// The person's name, if the provider gave it.
    let name: String?
    /// Apple's authorization code, which is exchanged after the sign-in; `nil` if there is none.
    let authorization: AuthorizationCode?
    /// See `SignInState`.
    let owner: FlowOwner?
    let expiresAt: Int64

    /// - Parameter now: Unix time in seconds.
    init(
        _ verified: VerifiedIdentityToken, of state: SignInState, name: String? = nil,
        authorization: AuthorizationCode? = nil,
        now: Int64
    ) {
        id = Base64URL.encode(SecureRandom.bytes(Self.idByteCount))
        provider = state.provider
        challenge = state.challenge
        self.verified = verified
        self.name = name
        self.authorization = authorization
        owner = state.owner
        expiresAt = now + Self.lifetimeSeconds
    }

    /// Whether the verifier is the one whose challenge began the sign-in.
    func fits(_ verifier: String) -> Bool {
        VerifierChallenge(ofVerifier: verifier).map { constantTimeEqual(Array($0.text.utf8), Array(challenge.utf8)) }
            ?? false
    }
}

import InternalAPI
import Policies

extension OwnProof {
    /// Creates the proof of an identity token or a phone token. A token serves one call, which is part of the proof.
    ///
    /// - Parameters:
    ///   - code: Apple's authorization code that came with the token.
    ///   - phoneProvider: the name of the service whose token proves a phone number.
    ///   - now: Unix time in seconds.
    init(
        _ verified: VerifiedIdentityToken, _ call: CallTag, code: AuthorizationCode? = nil,
        phoneProvider: String? = nil,
        now: Int64
    ) {
        let identity = verified.identity
        self.init(
            SignInProof(
                id: verified.proofID, expiresAt: verified.usableUntil, identity: identity,
                // A phone token is void after the same events as a code that was requested when it was issued.
                challengedAt: identity.kind == .phone ? verified.issuedAt : nil,
                token: PresentedToken(call: call.bytes, issuedAt: verified.issuedAt), code: code),
            method: phoneProvider.map(SignInMethod.phoneTokens)
                ?? identity.atProvider.map { SignInMethod.identityProvider($0.provider) } ?? identity.kind.rawValue,
            now: now)
    }
}

package import AccessTokens
package import Policies

extension Policy {
    /// The forms of users' tokens by the names of the profiles that have other ones than the policy states.
    package var tokenForms: [String: TokenForm] {
        profiles.reduce(into: [:]) { forms, profile in
            let form = TokenForm(
                issuer: issuer(of: profile), audience: audience(of: profile),
                supabasePrefix: isSupabase(profile) ? userIDPrefix : nil)
            if form != TokenForm(issuer: issuer, audience: audience) { forms[profile.name] = form }
        }
    }
}

extension AccessTokenVerifier {
    /// Creates the verifier of users' tokens by a policy: of its own issuer and audience, and of `forms`.
    ///
    /// - Parameter forms: The policy's `tokenForms`, made once.
    package init(_ policy: Policy, forms: [TokenForm], keys: VerificationKeySet) {
        self.init(
            issuer: policy.issuer, audience: policy.audience, leewaySeconds: policy.signing.leewaySeconds, keys: keys,
            forms: forms)
    }
}

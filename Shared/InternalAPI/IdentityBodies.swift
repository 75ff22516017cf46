/// A user's account at Apple or an OpenID Connect provider.
package struct ProviderAccount: Codable, Sendable, Equatable {
    /// `apple`, or the provider's name in the policy.
    package var provider: String
    /// The `sub` claim of the provider's tokens.
    package var subject: String

    package init(provider: String, subject: String) {
        self.provider = provider
        self.subject = subject
    }
}

/// Presents an identity token of Apple or an OpenID Connect provider.
package struct IdentityTokenRequest: Codable, Sendable, Equatable {
    /// `apple`, or the provider's name in the policy.
    package var provider: String
    /// The token as the client sent it; so is the nonce.
    package var token: String
    package var nonce: String?
    /// Identifies the client's call: a token serves one call, and a repeat of that call gets the same proof.
    package var callID: String

    package init(provider: String, token: String, nonce: String?, callID: String) {
        self.provider = provider
        self.token = token
        self.nonce = nonce
        self.callID = callID
    }
}

/// The outcome of presenting an identity token.
package struct IdentityTokenAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        case proved
        /// The token breaks a rule, which the audit record names; or the code of a sign-in in a browser is not valid.
        case refused
        /// The policy has no such provider.
        case off
    }

    package var result: Result
    /// The sealed proof that `resolve` accepts; only with `proved`.
    package var proof: String?
    /// The person's name, if the provider gave it to a sign-in in a browser.
    package var name: String?

    package init(_ result: Result, proof: String? = nil, name: String? = nil) {
        self.result = result
        self.proof = proof
        self.name = name
    }
}

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
    /// Apple's authorization code that came with the token. It is exchanged after the sign-in.
    package var authorizationCode: String?
    /// The redirect URI of the code's authorize request; `nil` if an app received the code.
    package var redirectURI: String?

    package init(
        provider: String, token: String, nonce: String?, callID: String, authorizationCode: String? = nil,
        redirectURI: String? = nil
    ) {
        self.provider = provider
        self.token = token
        self.nonce = nonce
        self.callID = callID
        self.authorizationCode = authorizationCode
        self.redirectURI = redirectURI
    }
}

/// The outcome of presenting an identity token.
package struct IdentityTokenAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        case proved
        /// The token breaks a rule; the audit record names the rule.
        case refused
        /// The policy has no such provider.
        case off
    }

    package var result: Result
    /// The sealed proof that `resolve` accepts; only with `proved`.
    package var proof: String?

    package init(_ result: Result, proof: String? = nil) {
        self.result = result
        self.proof = proof
    }
}

/// A notification that claims to be Apple's, unchanged; user-service checks its signature.
package struct AppleNotification: Codable, Sendable, Equatable {
    /// The signed JWT.
    package var payload: String

    package init(payload: String) { self.payload = payload }
}

/// The outcome of an `AppleNotification`.
package struct AppleNotificationAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        /// The notification is Apple's, whether or not it changed anything.
        case noted
        /// It is not Apple's, or not about an app of this deployment, or too old.
        case forged
        /// The policy has no sign-in with Apple.
        case off
    }

    package var result: Result

    package init(_ result: Result) { self.result = result }
}

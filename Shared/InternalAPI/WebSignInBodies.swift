/// Begins a sign-in in a browser with Apple or an OpenID Connect provider.
package struct WebSignInStart: Codable, Sendable, Equatable {
    /// `apple`, or the provider's name in the policy.
    package var provider: String
    /// BASE64URL(SHA-256(verifier)), RFC 7636, as the client sent it.
    package var challenge: String
    /// The address of the app to which the sign-in returns, as the client sent it.
    package var redirect: String
    /// The URL of this deployment at which the provider returns the browser. It names the host and the path.
    package var callbackURL: String

    package init(provider: String, challenge: String, redirect: String, callbackURL: String) {
        self.provider = provider
        self.challenge = challenge
        self.redirect = redirect
        self.callbackURL = callbackURL
    }
}

/// Begins a flow in a browser of the bearer, who adds an identity or shows again who they are.
package struct OwnWebSignInStart: Codable, Sendable, Equatable {
    package var start: WebSignInStart
    /// The only purpose for which the flow's code is accepted.
    package var purpose: Purpose

    package init(_ start: WebSignInStart, for purpose: Purpose) {
        self.start = start
        self.purpose = purpose
    }
}

/// A provider's answer to a sign-in in a browser, as the browser brought it.
package struct WebSignInReturn: Codable, Sendable, Equatable {
    /// `apple`, or the provider's name in the policy, whose callback it was.
    package var provider: String
    /// The URL at which the browser arrived.
    package var callbackURL: String
    package var state: String
    package var code: String?
    /// Only Apple sends the token to the callback.
    package var identityToken: String?
    /// The error of RFC 6749 section 4.1.2.1.
    package var error: String?
    /// The issuer, if the provider states it (RFC 9207).
    package var issuer: String?
    /// Apple's JSON about the person, which it sends at the first sign-in.
    package var person: String?
    /// The browser's IP address.
    package var address: String
    /// Identifies the browser's call: a state serves one call.
    package var callID: String

    package init(
        provider: String, callbackURL: String, state: String, code: String? = nil, identityToken: String? = nil,
        error: String? = nil, issuer: String? = nil, person: String? = nil, address: String,
        callID: String
    ) {
        self.provider = provider
        self.callbackURL = callbackURL
        self.state = state
        self.code = code
        self.identityToken = identityToken
        self.error = error
        self.issuer = issuer
        self.person = person
        self.address = address
        self.callID = callID
    }
}

/// Where a sign-in in a browser goes on.
package struct WebSignInAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        /// The browser goes to `location`: to the provider, or back to the app with a code or an error.
        case redirected
        /// The state is forged, expired, used, or of another provider, host or issuer.
        case refused
        /// The policy has no such provider.
        case off
    }

    package var result: Result
    /// A URL; only with `redirected`.
    package var location: String?

    package init(_ result: Result, location: String? = nil) {
        self.result = result
        self.location = location
    }
}

/// Presents the code that a sign-in in a browser brought to the app.
package struct SignInCodeRequest: Codable, Sendable, Equatable {
    /// `apple`, or the provider's name in the policy; empty for whichever provider the code is of.
    package var provider: String
    package var code: String
    /// The verifier whose challenge began the sign-in.
    package var verifier: String
    /// Identifies the client's call, as in `IdentityTokenRequest`.
    package var callID: String

    package init(provider: String, code: String, verifier: String, callID: String) {
        self.provider = provider
        self.code = code
        self.verifier = verifier
        self.callID = callID
    }
}

/// The body of `POST /users/me/identities/{provider}/authorize` and `POST /auth/reauthenticate/{provider}/authorize`.
public struct OwnFlowBody: Codable, Sendable, Equatable {
    /// BASE64URL(SHA-256(verifier)) (RFC 7636).
    public var challenge: String
    /// The address of the app, one of `webRedirects`.
    public var redirect: String

    public init(challenge: String, redirect: String) {
        self.challenge = challenge
        self.redirect = redirect
    }
}

/// The response to it.
public struct OwnFlowReply: Codable, Sendable, Equatable {
    /// The provider's page, which the app opens in a browser.
    public var url: String

    public init(url: String) { self.url = url }
}

/// An authorization code of Apple's that was not exchanged yet, with the values that its exchange repeats (RFC 6749 section 4.1.3).
///
/// It passes from the identity token's proof to the sign-in, whose transaction writes it to the outbox (`CodeToExchange`).
struct AuthorizationCode: Codable, Sendable, Equatable {
    /// The most bytes of a code or a redirect URI.
    private static let bytesMax = 1_024

    let code: String
    /// The `aud` of the identity token, to which Apple also issued the code.
    let clientID: String
    /// The redirect URI of the authorize request; `nil` if an app received the code.
    let redirectURI: String?

    /// Creates a code, or returns `nil` if Apple cannot have issued it. The sign-in does not depend on it.
    init?(_ code: String?, clientID: String, redirectURI: String? = nil) {
        guard let code, Self.isText(code), redirectURI.map(Self.isText) ?? true else { return nil }
        (self.code, self.clientID, self.redirectURI) = (code, clientID, redirectURI)
    }

    /// Whether a text has visible ASCII characters only.
    private static func isText(_ text: String) -> Bool {
        (1...bytesMax).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

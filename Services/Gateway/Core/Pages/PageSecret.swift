import CryptoPrimitives

/// The secret of a page's session, which the page cookie has for as long as the session lives.
///
/// token-service issues it and keeps its hash. It makes the refresh cookie useless on its own: another host of the site can set a
/// refresh cookie of its own session, but not the page cookie that belongs to it.
struct PageSecret: Sendable, Equatable {
    static let byteCount = 32

    /// The secret as the cookie has it, in base64url.
    let text: String

    /// - Returns: `nil` if the text is not 32 bytes in base64url.
    init?(_ text: String) {
        guard Base64URL.decode(text)?.count == Self.byteCount else { return nil }
        self.text = text
    }
}

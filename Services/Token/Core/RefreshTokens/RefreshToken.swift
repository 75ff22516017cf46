import CryptoPrimitives

/// A refresh token whose tag is verified: 32 bytes that only our keys can have made (design section 5).
///
/// Layout: locator (8), generation (3), secret (16), tag (5). The locator on the wire is masked with the secret, so that tokens do
/// not reveal how many sessions there are.
package struct RefreshToken: Sendable, Equatable {
    static let locatorByteCount = 8
    static let generationByteCount = 3
    static let secretByteCount = 16
    static let tagByteCount = 5
    static let byteCount = locatorByteCount + generationByteCount + secretByteCount + tagByteCount
    /// The highest generation that fits; a session that reaches it expires there.
    static let generationMax: Int64 = 0xFF_FFFF

    /// The token itself; never stored, never logged.
    let bytes: [UInt8]
    /// The number of the session's row.
    let locator: Int64
    /// The generation: 0 for the token of the sign-in, one more with each rotation.
    let generation: Int64

    /// The hash of the token, which is all that the database keeps.
    let hash: [UInt8]

    init(bytes: [UInt8], locator: Int64, generation: Int64) {
        self.bytes = bytes
        self.locator = locator
        self.generation = generation
        hash = SHA256.hash(bytes)
    }

    /// Returns the token as the client stores it.
    package func text(prefix: String) -> String { prefix + Hex.encode(bytes) }
}

extension RefreshToken {
    private static let prefixBytesMax = 16

    /// Decodes the bytes of a token's text: a prefix that one of the profiles uses, then 64 lower-case hex digits.
    ///
    /// One token has one spelling. The bytes prove nothing yet; `RefreshTokenKeys.open` verifies them.
    static func bytes(of text: String, prefixes: Set<String>) -> [UInt8]? {
        let length = text.utf8.count
        guard length >= 2 * byteCount, length <= 2 * byteCount + prefixBytesMax else { return nil }
        let digits = text.utf8.suffix(2 * byteCount)
        let isLowerCase = digits.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
        guard isLowerCase, prefixes.contains(String(Substring(text.utf8.dropLast(2 * byteCount)))) else { return nil }
        return Hex.decode(String(decoding: digits, as: UTF8.self))
    }
}

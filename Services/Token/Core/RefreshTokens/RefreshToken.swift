import CryptoPrimitives

/// A refresh token whose tag has been proved: 32 bytes that only we can have made (design section 5).
///
/// Layout: locator (8), generation (3), secret (16), tag (5). The locator on the wire is masked with the secret, so that
/// tokens tell nobody how many sessions there are.
package struct RefreshToken: Sendable, Equatable {
    static let locatorByteCount = 8
    static let generationByteCount = 3
    static let secretByteCount = 16
    static let tagByteCount = 5
    static let byteCount = locatorByteCount + generationByteCount + secretByteCount + tagByteCount
    /// The highest generation that fits; a session that reaches it ends there.
    static let generationMax: Int64 = 0xFF_FFFF

    /// The token itself; never stored, never logged.
    let bytes: [UInt8]
    /// The session's row.
    let locator: Int64
    /// 0 for the token of the sign-in, one more with each rotation.
    let generation: Int64

    /// What the database keeps of the token.
    let hash: [UInt8]

    init(bytes: [UInt8], locator: Int64, generation: Int64) {
        self.bytes = bytes
        self.locator = locator
        self.generation = generation
        hash = SHA256.hash(bytes)
    }

    /// The token as the client holds it.
    package func text(prefix: String) -> String { prefix + Hex.encode(bytes) }
}

extension RefreshToken {
    private static let prefixBytesMax = 16

    /// The bytes of a token's text: a prefix that one of the profiles uses, then 64 lower-case hex digits.
    ///
    /// One token has one spelling. Proves nothing yet; that is `RefreshTokenKeys.open`.
    static func bytes(of text: String, prefixes: Set<String>) -> [UInt8]? {
        let length = text.utf8.count
        guard length >= 2 * byteCount, length <= 2 * byteCount + prefixBytesMax else { return nil }
        let digits = text.utf8.suffix(2 * byteCount)
        let isLowerCase = digits.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
        guard isLowerCase, prefixes.contains(String(Substring(text.utf8.dropLast(2 * byteCount)))) else { return nil }
        return Hex.decode(String(decoding: digits, as: UTF8.self))
    }
}

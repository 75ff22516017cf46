/// The hash of the client's verifier, which the client sends with its request (RFC 7636 §4.2, S256).
package struct VerifierChallenge: Sendable, Equatable {
    /// BASE64URL of 32 bytes.
    package let text: String

    /// - Returns: `nil` for a text that is not a SHA-256 in BASE64URL.
    package init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == SHA256.byteCount else { return nil }
        self.text = text
    }

    /// - Returns: `nil` unless the verifier is as RFC 7636 §4.1 requires: 43 to 128 unreserved characters.
    package init?(ofVerifier verifier: String) {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(Self.isUnreserved) else { return nil }
        text = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}

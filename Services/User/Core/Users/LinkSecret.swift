import CryptoPrimitives

/// The secret in a mailed link: 256 bits (security guide R-67).
struct LinkSecret: Sendable {
    static let byteCount = 32

    /// As it stands in the link.
    let text: String
    /// All that is kept of it.
    let hash: [UInt8]

    /// A new one.
    static func random() -> LinkSecret { LinkSecret(SecureRandom.bytes(byteCount)) }

    private init(_ bytes: [UInt8]) {
        text = Base64URL.encode(bytes)
        hash = SHA256.hash(bytes)
    }

    /// Reads what came back; nil for what no link of ours holds.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
        self.init(bytes)
    }
}

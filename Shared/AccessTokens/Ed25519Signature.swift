/// The range rule of Ed25519 signatures R ‖ S: S < L, so that one message has one spelling (RFC 8032 §5.1.7).
enum Ed25519Signature {
    static let byteCount = 64

    /// The group order L = 2^252 + 27742317777372353535851937790883648493, most significant byte first.
    private static let order: [UInt8] = [
        0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x14, 0xDE, 0xF9, 0xDE, 0xA2, 0xF7, 0x9C, 0xD6, 0x58, 0x12, 0x63, 0x1A, 0x5C, 0xF5, 0xD3, 0xED,
    ]

    /// Whether `signature` has 64 bytes with S < L. libcrypto checks this too; the rule is ours, so we do not rely on it.
    static func isCanonical(_ signature: [UInt8]) -> Bool {
        signature.count == byteCount && signature.suffix(32).reversed().lexicographicallyPrecedes(order)
    }
}

/// The rules for Ed25519 signatures R ‖ S beyond the equation itself, so that each signature has only one spelling.
enum Ed25519Signature {
    static let byteCount = 64

    /// The group order L = 2^252 + 27742317777372353535851937790883648493, most significant byte first.
    private static let order: [UInt8] = [
        0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x14, 0xDE, 0xF9, 0xDE, 0xA2, 0xF7, 0x9C, 0xD6, 0x58, 0x12, 0x63, 0x1A, 0x5C, 0xF5, 0xD3, 0xED,
    ]

    /// Whether `signature` has 64 bytes with S < L (RFC 8032 §5.1.7) and a canonical R that is not of small order.
    ///
    /// libcrypto checks S too, but we do not rely on it. No honest signer creates an R of small order: together with a
    /// crafted key it would fit many messages.
    static func isAcceptable(_ signature: [UInt8]) -> Bool {
        guard signature.count == byteCount else { return false }
        let r = Array(signature.prefix(Ed25519Point.byteCount))
        return signature.suffix(32).reversed().lexicographicallyPrecedes(order)
            && Ed25519Point.isCanonical(r) && !SmallOrderPoints.contains(r)
    }
}

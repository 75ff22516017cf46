/// The twin of an ES256 signature: (r, n − s) is as valid as (r, s).
enum P256Twin {
    /// The order n of P-256 (FIPS 186-4, D.1.2.3).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// - Parameter signature: r ‖ s of 32 bytes each.
    static func twin(of signature: [UInt8]) -> [UInt8] {
        var (rest, borrow) = (Array(signature.suffix(order.count)), 0)
        for index in order.indices.reversed() where index < rest.count {
            let difference = Int(order[index]) - Int(rest[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            rest[index] = UInt8(truncatingIfNeeded: difference)
        }
        return signature.prefix(order.count) + rest
    }
}

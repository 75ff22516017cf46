/// The encoding of points on Ed25519: 255 bits of y, little-endian, then the sign of x (RFC 8032 §5.1.2).
enum Ed25519Point {
    static let byteCount = 32
    /// p = 2^255 − 19, little-endian.
    static let prime: [UInt8] = [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]

    /// Whether `point` has 32 bytes and a y below p; decoding fails otherwise (RFC 8032 §5.1.3).
    ///
    /// libcrypto also accepts the second spellings of the smallest nineteen values, and reduces them.
    static func isCanonical(_ point: [UInt8]) -> Bool {
        point.count == byteCount && withoutSign(point).reversed().lexicographicallyPrecedes(prime.reversed())
    }

    /// The bytes of y, without the sign.
    static func withoutSign(_ point: [UInt8]) -> [UInt8] {
        point.dropLast() + point.suffix(1).map { $0 & 0x7F }
    }
}

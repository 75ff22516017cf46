/// The encoding of points on Ed25519: 255 bits of y, little-endian, then the sign of x (RFC 8032 §5.1.2).
enum Ed25519Point {
    static let byteCount = 32

    /// Whether `point` has 32 bytes and a y below p = 2^255 − 19; decoding fails otherwise (RFC 8032 §5.1.3).
    ///
    /// libcrypto takes the other spellings of the smallest nineteen for what they reduce to.
    static func isCanonical(_ point: [UInt8]) -> Bool {
        guard point.count == byteCount, let first = point.first, let last = point.last else { return false }
        let isLow = first < 0xED || last & 0x7F != 0x7F
        return isLow || point.dropFirst().dropLast().contains { $0 != 0xFF }
    }
}

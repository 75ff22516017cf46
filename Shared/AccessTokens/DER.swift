/// The subset of DER (ITU-T X.690) that signatures and public keys need, in its canonical form.
enum DER {
    static let integerTag: UInt8 = 0x02
    static let bitStringTag: UInt8 = 0x03
    static let sequenceTag: UInt8 = 0x30

    /// Returns `content` with a tag and its length.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// Returns a non-negative INTEGER from big-endian bytes.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = magnitude.drop { $0 == 0 }
        // With the top bit set it would be negative; zero is one zero byte.
        let needsZero = digits.first.map { $0 >= 0x80 } ?? true
        return element(integerTag, (needsZero ? [0] : []) + digits)
    }

    /// Returns a BIT STRING of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(bitStringTag, [0] + bytes) }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(truncatingIfNeeded: count)] }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(truncatingIfNeeded: digits.count)] + digits
    }
}

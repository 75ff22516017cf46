import CryptoPrimitives

/// Base32 of whole groups: five bytes are eight digits.
enum Base32 {
    private static let groupByteCount = 5
    private static let groupDigitCount = 8

    /// Returns the digits of `bytes`, whose number must be a multiple of five.
    ///
    /// - Parameter alphabet: 32 ASCII digits.
    static func encode(_ bytes: [UInt8], alphabet: [UInt8]) -> String {
        let groups = stride(from: 0, to: bytes.count, by: groupByteCount).map {
            BigEndian.number(bytes[$0..<min($0 + groupByteCount, bytes.count)])
        }
        let digits = groups.flatMap { group in
            (0..<groupDigitCount).reversed().map { alphabet[Int(group >> UInt64(5 * $0) & 31)] }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the bytes of digits with these values, whose number must be a multiple of eight.
    static func decode(_ values: [UInt8]) -> [UInt8] {
        stride(from: 0, to: values.count, by: groupDigitCount).flatMap { start in
            let digits = values[start..<min(start + groupDigitCount, values.count)]
            return BigEndian.bytes(digits.reduce(0) { $0 << 5 | UInt64($1) }, count: groupByteCount)
        }
    }
}

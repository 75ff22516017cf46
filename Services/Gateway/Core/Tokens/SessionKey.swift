import CryptoPrimitives

/// A `sid` as the list of revocations holds it: 12 bytes in place, where its text would be an allocation of its own.
///
/// The `sid`s that token-service makes are 24 hexadecimal digits and stand for themselves, any other by its hash. Nobody
/// can choose one: only verified tokens and token-service's own entries come here.
struct SessionKey: Hashable, Sendable {
    private static let digitCount = 24

    private let high: UInt64
    private let low: UInt32

    init(_ sid: String) {
        let digits = sid.utf8
        if digits.count == Self.digitCount, let first = Self.value(digits.prefix(16)),
            let last = Self.value(digits.dropFirst(16))
        {
            high = first
            low = UInt32(truncatingIfNeeded: last)
        } else {
            let hash = SHA256.hash(Array(digits))
            high = BigEndian.number(hash.prefix(8))
            low = UInt32(truncatingIfNeeded: BigEndian.number(hash[8..<12]))
        }
    }

    /// The number that up to 16 lower-case hexadecimal digits are; nil if one is none.
    private static func value(_ digits: Substring.UTF8View) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }
}

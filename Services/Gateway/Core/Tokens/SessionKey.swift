import CryptoPrimitives

/// A `sid` in the list of revocations: 12 bytes in place, where its text would need an allocation of its own.
///
/// A `sid` that token-service makes is 24 hexadecimal digits, which the bytes contain as they are. Any other is represented by its
/// hash. An attacker cannot choose one: only verified tokens and token-service's own entries come here.
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

    /// Returns the number that up to 16 lower-case hexadecimal digits represent, or `nil` if one of them is invalid.
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

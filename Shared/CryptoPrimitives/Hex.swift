/// Lower-case hexadecimal text.
package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns two lower-case digits for each byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

    /// Returns two lower-case digits for each byte.
    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    /// Returns two lower-case digits for each byte.
    package static func encode(_ bytes: ArraySlice<UInt8>) -> String { encode(bytes.span) }

    /// Returns two lower-case digits for each byte.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        let digits = digits
        return unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for index in bytes.indices {
                unsafe text[2 * index] = digits[Int(bytes[index] >> 4)]
                unsafe text[2 * index + 1] = digits[Int(bytes[index] & 15)]
            }
            return 2 * bytes.count
        }
    }

    /// Decodes `text`; returns `nil` unless it is an even number of hexadecimal digits of either case.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = value(characters[index]), let low = value(characters[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

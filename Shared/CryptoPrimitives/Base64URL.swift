/// Base64url without padding, only in its canonical spelling (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let invalid: UInt8 = 0xFF
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(truncatingIfNeeded: value) }
        return table
    }()

    /// Encodes `bytes` as text.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

    /// Encodes `bytes` as text.
    package static func encode(_ bytes: [UInt8]) -> String { String(decoding: encodedBytes(bytes), as: UTF8.self) }

    /// Encodes `bytes` as ASCII bytes.
    package static func encodedBytes(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = alphabet
        return [UInt8](capacity: (bytes.count * 4 + 2) / 3) { text in
            var index = 0
            while index + 3 <= bytes.count {
                let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                text.append(alphabet[group >> 18])
                text.append(alphabet[group >> 12 & 63])
                text.append(alphabet[group >> 6 & 63])
                text.append(alphabet[group & 63])
                index += 3
            }
            guard index < bytes.count else { return }
            let hasTwo = index + 2 == bytes.count
            let group = Int(bytes[index]) << 16 | (hasTwo ? Int(bytes[index + 1]) << 8 : 0)
            text.append(alphabet[group >> 18])
            text.append(alphabet[group >> 12 & 63])
            if hasTwo { text.append(alphabet[group >> 6 & 63]) }
        }
    }

    /// Decodes `text`; returns `nil` for padding, an invalid character, an impossible length or set trailing bits.
    ///
    /// Each value has only one spelling, so that no altered copy of a token is accepted (security guide L4).
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? { decode(text.span) }

    /// Decodes `text` by the same rules.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(Array(text.utf8).span) }

    /// Decodes `text` by the same rules; copies nothing, since every request at the edge calls it.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        let values = values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        // A valid digit is below 64: bits 6 and 7 of the union show whether any was not.
        var union: UInt8 = 0
        var index = 0
        while index + 4 <= text.count {
            let first = values[Int(text[index])]
            let second = values[Int(text[index + 1])]
            let third = values[Int(text[index + 2])]
            let fourth = values[Int(text[index + 3])]
            union |= first | second | third | fourth
            bytes.append(first << 2 | second >> 4)
            bytes.append(second << 4 | third >> 2)
            bytes.append(third << 6 | fourth)
            index += 4
        }
        guard union < 64, append(tail: text.extracting(index..<text.count), to: &bytes) else { return nil }
        return bytes
    }

    /// Appends the one or two bytes of the last two or three digits; returns `false` if they are not canonical.
    private static func append(tail: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
        guard tail.count > 1 else { return tail.isEmpty }
        let first = values[Int(tail[0])]
        let second = values[Int(tail[1])]
        let third = tail.count > 2 ? values[Int(tail[2])] : 0
        guard first | second | third < 64 else { return false }
        bytes.append(first << 2 | second >> 4)
        guard tail.count > 2 else { return second & 0x0F == 0 }
        bytes.append(second << 4 | third >> 2)
        return third & 0x03 == 0
    }
}

/// Tests of single bytes of HTTP messages.
package enum ByteClass {
    /// Whether the byte is a character of a field value: no control but tab, so neither CR, LF nor NUL (RFC 9110 section 5.5).
    package static func isFieldValue(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }

    /// Whether a whole text is allowed in a field's value.
    package static func isFieldValue(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for index in bytes.indices where !isFieldValue(bytes[index]) { return false }
        return true
    }

    /// Whether the byte is a space or a tab.
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether the byte is a character of a token, such as a field's name, a method or a scheme (RFC 9110 section 5.6.2).
    package static func isToken(_ byte: UInt8) -> Bool { ASCIISet.token.contains(byte) }

    /// Whether the byte is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Returns the value of a hexadecimal digit, or `nil` for any other byte.
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns `byte` in lower case.
    package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Returns `byte` as servers that make variables of field names read it: in lower case, and `-` for all but letters and digits.
    package static func folded(_ byte: UInt8) -> UInt8 {
        let lower = byte | 0x20
        if lower &- UInt8(ascii: "a") < 26 { return lower }
        return isDigit(byte) ? byte : UInt8(ascii: "-")
    }
}

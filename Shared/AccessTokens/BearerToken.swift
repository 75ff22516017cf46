/// The token in a value of `Authorization` (RFC 6750 section 2.1).
package enum BearerToken {
    /// The scheme in lower case; it is compared without case (RFC 9110 section 11.1).
    private static let scheme: [UInt8] = Array("bearer ".utf8)

    /// Returns the token of `value`; `nil` for another scheme, or if the token contains an invalid character.
    ///
    /// Accepts only an array: for a generic collection the compiler makes a witness call for each byte, which doubled the
    /// cost of a request at the gateway.
    package static func parse(_ value: [UInt8]) -> ArraySlice<UInt8>? {
        guard value.prefix(scheme.count).elementsEqual(scheme, by: { $0 | 0x20 == $1 }) else { return nil }
        let token = value.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }
        return !token.isEmpty && token.allSatisfy(isTokenCharacter) ? token : nil
    }

    /// Whether the bytes are a `b64token`.
    package static func isToken(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenCharacter) }

    /// Whether the character is allowed in a `b64token`.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "-")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "="): true
        default: false
        }
    }
}

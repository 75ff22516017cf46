/// The rules of TLS if the gateway serves https itself.
package struct EdgeTLSPolicy: Sendable, Equatable {
    /// The oldest version of TLS that is accepted.
    package enum Version: String, Sendable, CaseIterable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    package var minimum = Version.tls13
    /// SHA-256 of the public keys that certificates may have, in base64, as apps pin them; empty if any key is allowed.
    package var pins: [String] = []

    package static let pinsRange = 2...16

    package init() {}
}

extension EdgeTLSPolicy {
    /// Section `tls` of `edge`:
    /// - `minimum` "1.3" or "1.2", in quotes, default "1.3"
    /// - `pins` list of 2 to 16 different pins (SHA-256 of a SubjectPublicKeyInfo, 44 characters of base64), the key in use
    ///   and at least one for its replacement; default none: any key is served
    init(reading section: PolicySection) {
        section.choice("minimum", into: &minimum)
        section.values("pins", count: Self.pinsRange, .keyPin, into: &pins)
        if Set(pins).count != pins.count { section.refuse("pins", "contains a pin twice. Name each once.") }
    }
}

extension ValueRule where Value == String {
    /// A pin: SHA-256 in base64. Its 32 bytes are 43 digits, the last of which has two bits left over, and one `=`.
    fileprivate static var keyPin: TextRule {
        TextRule("SHA-256 of a public key in base64, 44 characters") { text in
            let digits = Array(text.utf8)
            return digits.count == 44 && digits.last == UInt8(ascii: "=")
                && digits.dropLast().allSatisfy(isBase64Digit) && "AEIMQUYcgkosw048".utf8.contains(digits[42])
        }
    }

    private static func isBase64Digit(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || (byte.isASCIIWordByte && byte != UInt8(ascii: "_"))
    }
}

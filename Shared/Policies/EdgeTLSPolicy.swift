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
    /// The directory from which the gateway gets its certificate; `nil` if certificates are files.
    package var acme: ACMEPolicy?

    package static let pinsRange = 2...16

    package init() {}
}

extension EdgeTLSPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "minimum", \.minimum, .choice,
            "The oldest version of TLS that is accepted, in quotes; 1.2 only with forward-secret AEAD suites."),
        Key(
            "pins", \.pins, .values(pinsRange, .keyPin),
            "The output of `latchkeyctl tls pins`, the key in use and at least one for its replacement: certificates of "
                + "other keys are refused.",
            example: "[47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=, ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=]"),
        Key(
            "acme", optional: \.acme, .section(ACMEPolicy(), ACMEPolicy.keys) { $1.check($0) },
            "The gateway gets its certificate itself (docs/run/tls.md), for the hosts of `publicURL` and of `dialects`.",
            example: "{ directory: \"https://acme-v02.api.letsencrypt.org/directory\", agree: true }"),
    ]

    func check(_ section: PolicySection) {
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

/// The directory from which the gateway gets its certificate (RFC 8555).
package struct ACMEPolicy: Sendable, Equatable {
    package var directory = ""
    package var email: String?
    /// Whether the operator accepts the directory's terms of service.
    package var agree = false
    /// The PEM file of the directory's authority; `nil` if it has one of the system's.
    package var ca: String?

    package init() {}
}

extension ACMEPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "directory", \.directory, .text(.directory), "The https URL of the directory.", required: true,
            example: "https://acme-v02.api.letsencrypt.org/directory"),
        Key(
            "email", optional: \.email, .text(.contact), "The address to which the directory may write.",
            example: "ops@example.com"),
        Key("agree", \.agree, .flag, "`true`: you accept the directory's terms of service.", required: true),
        Key(
            "ca", optional: \.ca, .text(.file),
            "A PEM file with the authority of the directory's own https, if that is not one of the system's.",
            example: "/etc/latchkey/acme-ca.pem"),
    ]

    func check(_ section: PolicySection) {
        guard section.has("agree"), !agree else { return }
        section.refuse("agree", "a directory needs your consent to its terms of service. Use true, or remove acme.")
    }
}

extension ValueRule where Value == String {
    fileprivate static var directory: TextRule {
        TextRule("an https URL such as https://acme-v02.api.letsencrypt.org/directory") { text in
            text.hasPrefix("https://") && PublicURL.ofKeys(text) != nil
        }
    }

    fileprivate static var contact: TextRule {
        TextRule("an email address such as ops@example.com") { text in
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && text.utf8.count <= 254
                && TextRule.domain.parse(String(parts[1])) != nil
                && parts[0].utf8.allSatisfy { $0.isASCIIWordByte || ".+-".utf8.contains($0) }
        }
    }

    fileprivate static var file: TextRule {
        TextRule("an absolute path of at most 1,024 visible ASCII characters", pattern: "^/[!-~]{1,1023}$") { text in
            text.hasPrefix("/") && (2...1_024).contains(text.utf8.count)
                && text.utf8.allSatisfy { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
        }
    }
}

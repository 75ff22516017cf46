package import PhoneNumbers

/// The phone numbers to which codes may be sent, and which phone tokens sign in. The longest prefix that fits decides; at equal
/// length the number is refused.
package struct CountryRule: Sendable, Equatable {
    /// Premium rate, satellite and international services, which exist to cost the sender money.
    package static let pumpingPrefixes = ["+1900", "+870", "+881", "+882", "+883", "+979", "+888"]

    package var allowedPrefixes: [String]?
    package var blockedPrefixes = Self.pumpingPrefixes

    package init(allowedPrefixes: [String]? = nil) {
        self.allowedPrefixes = allowedPrefixes
    }

    /// Whether the policy allows codes to be sent to a phone number, and its token to sign in.
    package func allows(_ number: PhoneNumber) -> Bool { allows(e164: number.e164) }

    func allows(e164: String) -> Bool {
        let blocked = Self.longestMatch(in: blockedPrefixes, e164)
        guard let allowedPrefixes else { return blocked == nil }
        guard let allowed = Self.longestMatch(in: allowedPrefixes, e164) else { return false }
        return blocked.map { allowed > $0 } ?? true
    }

    private static func longestMatch(in prefixes: [String], _ e164: String) -> Int? {
        prefixes.filter { e164.hasPrefix($0) }.map(\.utf8.count).max()
    }
}

extension CountryRule {
    static let keys: [Key<Self>] = [
        Key(
            "allowed", \.allowedPrefixes, .allOr(.values(1...300, .callingPrefix)),
            "The calling codes or longer prefixes to which codes are sent; the longest matching prefix decides.",
            required: true, example: "[\"+1\", \"+4475\"]"),
        Key(
            "blocked", \.blockedPrefixes, .values(0...300, .callingPrefix),
            "The prefixes to which no codes are sent; by default premium rate, satellite and international services."),
    ]
}

extension KeyForm where Value == [String]? {
    /// The word `all`, read as `nil`, or a list of prefixes.
    fileprivate static func allOr(_ list: KeyForm<[String]>) -> KeyForm {
        KeyForm(
            kind: { .either(["all"], or: list.kind()) },
            read: { value in
                if value.isWord("all") { return .some(nil) }
                if case .list = value.node.content { return list.read(value).map(Value.some) }
                value.refuse(allowed: "all, or a list of 1 to 300 values")
                return nil
            }, node: { $0.map(list.node) ?? YAMLNode(word: "all") })
    }
}

extension ValueRule where Value == String {
    fileprivate static var callingPrefix: TextRule {
        TextRule(
            "a calling code and the digits after it in quotes, such as \"+1\" or \"+4475\"",
            pattern: "^[+][1-9][0-9]{0,13}$"
        ) { text in
            let digits = text.utf8.dropFirst()
            return text.utf8.first == UInt8(ascii: "+") && (1...14).contains(digits.count)
                && digits.first != UInt8(ascii: "0")
                && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }
}

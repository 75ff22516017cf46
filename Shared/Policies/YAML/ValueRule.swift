import PhoneNumbers
import SettingNames

/// The texts that a key accepts, in words for people and as a function.
struct ValueRule<Value>: Sendable {
    /// The allowed texts in words; they follow "Use " in messages.
    let allowed: String
    /// The allowed texts in words that are the same for each policy; `nil` if `allowed` is.
    var documented: String?
    /// The allowed texts, if they are few.
    var words: [String] = []
    /// A regular expression of the allowed texts, if there is a short one.
    var pattern: String?
    /// Whether messages leave out the refused text.
    var isSecret = false
    /// Returns the value, or `nil` if the text is not allowed.
    let parse: @Sendable (String) -> Value?
    /// The text of a value.
    let text: @Sendable (Value) -> String

    init(
        _ allowed: String, pattern: String? = nil, isSecret: Bool = false,
        text: @escaping @Sendable (Value) -> String = { "\($0)" }, parse: @escaping @Sendable (String) -> Value?
    ) {
        self.allowed = allowed
        self.pattern = pattern
        self.isSecret = isSecret
        self.text = text
        self.parse = parse
    }
}

typealias TextRule = ValueRule<String>

extension ValueRule where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the cases, by its raw value.
    static var choice: ValueRule {
        let words = Value.allCases.map(\.rawValue)
        var rule = ValueRule(Spelling.choice(of: words), text: \.rawValue) { Value(rawValue: $0) }
        rule.words = words
        return rule
    }
}

extension ValueRule where Value == String {
    init(
        _ allowed: String, pattern: String? = nil, isSecret: Bool = false,
        where isAllowed: @escaping @Sendable (String) -> Bool
    ) {
        self.init(allowed, pattern: pattern, isSecret: isSecret) { isAllowed($0) ? $0 : nil }
    }

    static func oneOf(_ words: [String]) -> TextRule {
        var rule = TextRule(words.isEmpty ? "nothing: none is defined" : Spelling.choice(of: words)) {
            words.contains($0)
        }
        rule.words = words
        return rule
    }

    /// One of the names that the policy chose in another section.
    static func entry(of section: String, _ names: [String]) -> TextRule {
        var rule = oneOf(names)
        rule.documented = "the name of an entry of `\(section)`"
        return rule
    }

    /// Texts of so many characters of one class.
    ///
    /// - Parameter characters: A class as in regular expressions, such as `A-Za-z0-9_-`; a last `-` represents itself.
    static func ascii(
        _ count: ClosedRange<Int>, of characters: String, _ allowed: String, isSecret: Bool = false
    ) -> TextRule {
        var bytes: Set<UInt8> = []
        var rest = Array(characters.utf8)[...]
        while let first = rest.popFirst() {
            if rest.count > 1, rest.first == UInt8(ascii: "-") {
                bytes.formUnion(first...rest[rest.startIndex + 1])
                rest.removeFirst(2)
            } else {
                bytes.insert(first)
            }
        }
        var rule = TextRule(allowed, isSecret: isSecret) { [bytes] in
            count.contains($0.utf8.count) && $0.utf8.allSatisfy(bytes.contains)
        }
        rule.pattern = "^[\(characters)]{\(count.lowerBound),\(count.upperBound)}$"
        return rule
    }

    /// The name of a profile, an upstream or a role.
    static var name: TextRule { .ascii(1...64, of: "A-Za-z0-9_-", "1 to 64 of A-Z a-z 0-9 _ -") }

    /// A text that is in tokens, compared byte by byte.
    static var identifier: TextRule { .ascii(1...256, of: "!-~", "1 to 256 visible ASCII characters") }

    /// A text in front of opaque ids and tokens.
    static var tokenPrefix: TextRule { .ascii(0...16, of: "A-Za-z0-9_-", "at most 16 of A-Z a-z 0-9 _ -") }

    static var region: TextRule {
        TextRule("a region of ISO 3166-1 in capital letters, such as US") { PhoneNumber.isKnown(region: $0) }
    }

    static var domain: TextRule {
        TextRule("a domain name in lower case, such as example.com") { text in
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            return text.utf8.count <= 253 && labels.count >= 2
                && labels.allSatisfy { label in
                    (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                        && label.utf8.allSatisfy { byte in
                            byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        }
                }
        }
    }
}

import PhoneNumbers
import SettingNames

/// The texts that a key accepts, in words for people and as a function.
struct ValueRule<Value> {
    /// The allowed texts in words; they follow "Use " in messages.
    let allowed: String
    /// The allowed texts, if they are few.
    var words: [String] = []
    /// Whether messages leave out the refused text.
    var isSecret = false
    /// Returns the value, or `nil` if the text is not allowed.
    let parse: (String) -> Value?

    init(_ allowed: String, isSecret: Bool = false, parse: @escaping (String) -> Value?) {
        self.allowed = allowed
        self.isSecret = isSecret
        self.parse = parse
    }
}

typealias TextRule = ValueRule<String>

extension ValueRule where Value == String {
    init(_ allowed: String, isSecret: Bool = false, where isAllowed: @escaping (String) -> Bool) {
        self.init(allowed, isSecret: isSecret) { isAllowed($0) ? $0 : nil }
    }

    static func oneOf(_ words: [String]) -> TextRule {
        var rule = TextRule(words.isEmpty ? "nothing: none is defined" : Spelling.choice(of: words)) {
            words.contains($0)
        }
        rule.words = words
        return rule
    }

    /// The name of a profile, an upstream or a role.
    static var name: TextRule {
        TextRule("1 to 64 of A-Z a-z 0-9 _ -") { text in
            (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isASCIIWordByte || $0 == UInt8(ascii: "-") }
        }
    }

    /// A text that is in tokens, compared byte by byte.
    static var identifier: TextRule {
        TextRule("1 to 256 visible ASCII characters") { text in
            (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }

    /// A text in front of opaque ids and tokens.
    static var tokenPrefix: TextRule {
        TextRule("at most 16 of A-Z a-z 0-9 _ -") { text in
            text.utf8.count <= 16 && text.utf8.allSatisfy { $0.isASCIIWordByte || $0 == UInt8(ascii: "-") }
        }
    }

    static var region: TextRule {
        TextRule("a region of ISO 3166-1 in capital letters, such as US", where: PhoneNumber.isKnown(region:))
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

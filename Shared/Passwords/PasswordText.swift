// Normal forms are only in full Foundation; the hashing process loads it anyway, because of GRDB.
import Foundation
package import Policies

/// A password in the form that is hashed: in Unicode's composed form (NFC), independent of the keyboard, and never
/// truncated.
package struct PasswordText: Sendable {
    /// The maximum number of characters as people count them; more would only cost time.
    package static let lengthMax = 128
    /// The maximum size of these characters in UTF-8, combining marks included.
    private static let bytesMax = 4_096

    let bytes: [UInt8]
    let length: Int
    private let typed: String
    private let text: String

    /// Returns `nil` for an empty text, and for one that is too long to be a user's password.
    package init?(_ typed: String) {
        guard !typed.isEmpty, typed.utf8.count <= Self.bytesMax else { return nil }
        let text = typed.precomposedStringWithCanonicalMapping
        guard text.count <= Self.lengthMax else { return nil }
        self.text = text
        length = text.count
        bytes = Array(text.utf8)
        self.typed = typed
    }

    /// The spellings that another system may have hashed, each once: as typed, composed (NFC) and decomposed (NFD). Keyboards
    /// differ in which one they send.
    var spellings: [[UInt8]] { Self.distinct([typed, text, text.decomposedStringWithCanonicalMapping]) }

    /// The composed spelling, which we hash, and then the others.
    var spellingsComposedFirst: [[UInt8]] { Self.distinct([bytes] + spellings) }

    /// The compatibility form (NFKC), which some systems hash, and then the others.
    var spellingsWithCompatibility: [[UInt8]] {
        Self.distinct([Array(text.precomposedStringWithCompatibilityMapping.utf8)] + spellings)
    }

    private static func distinct(_ texts: [String]) -> [[UInt8]] { distinct(texts.map { Array($0.utf8) }) }

    /// By bytes: equal strings may have different ones.
    private static func distinct(_ spellings: [[UInt8]]) -> [[UInt8]] {
        spellings.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether it is this text, case ignored.
    func isSame(as other: String) -> Bool { text.lowercased() == other.lowercased() }

    /// Whether the password is one of those that attackers try first.
    var isCommon: Bool { CommonPasswords.contains(text.lowercased()) }
}

extension PasswordPolicy {
    /// Whether the owner of an address may set this password; a user who already has it may keep it (NIST SP 800-63B
    /// §5.1.1.2: a minimum length and a blocklist, no rules on characters).
    package func allows(_ password: PasswordText, for address: String) -> Bool {
        password.length >= lengthMin && !password.isSame(as: address) && !password.isCommon
    }
}

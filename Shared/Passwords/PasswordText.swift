// Normal forms are in full Foundation alone; GRDB brings it into the process that hashes anyway.
import Foundation
package import Policies

/// A password as it is hashed: in Unicode's composed form (NFC), whatever keyboard typed it, and nothing cut off.
package struct PasswordText: Sendable {
    /// Characters as people count them; more would only cost time.
    package static let lengthMax = 128
    /// What so many characters may be in UTF-8, combining marks included.
    private static let bytesMax = 4_096

    let bytes: [UInt8]
    /// As it was typed, in no form of ours: what other systems have hashed.
    let typed: [UInt8]
    let length: Int
    private let text: String

    /// - Returns: nil for none, and for one that is too long to be anybody's.
    package init?(_ typed: String) {
        guard !typed.isEmpty, typed.utf8.count <= Self.bytesMax else { return nil }
        let text = typed.precomposedStringWithCanonicalMapping
        guard text.count <= Self.lengthMax else { return nil }
        self.text = text
        length = text.count
        bytes = Array(text.utf8)
        self.typed = Array(typed.utf8)
    }

    /// In Unicode's compatibility form (NFKC), as some systems hash it.
    var compatibilityBytes: [UInt8] { Array(text.precomposedStringWithCompatibilityMapping.utf8) }

    /// Whether it is this text, case ignored.
    func isSame(as other: String) -> Bool { text.lowercased() == other.lowercased() }

    /// Whether half of the world tries it first.
    var isCommon: Bool { CommonPasswords.contains(text.lowercased()) }
}

extension PasswordPolicy {
    /// Whether the owner of an address may set it; whoever has one already may keep it (NIST SP 800-63B §5.1.1.2: a length
    /// and a list, no rule of characters).
    package func allows(_ password: PasswordText, for address: String) -> Bool {
        password.length >= lengthMin && !password.isSame(as: address) && !password.isCommon
    }
}

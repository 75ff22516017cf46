import CryptoPrimitives
package import Policies

/// A password's hash as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`, base64 without padding.
package struct PasswordHash: Sendable, Equatable {
    static let saltBytes = 16
    static let tagBytes = 32
    private static let lengthMax = 200

    package let cost: PasswordCost
    let salt: [UInt8]
    let tag: [UInt8]

    init(cost: PasswordCost, salt: [UInt8], tag: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.tag = tag
    }

    /// Reads a result of `text`. Its cost must be within the range of policies, so that no stored hash costs more than
    /// that.
    ///
    /// - Returns: `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthMax else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19",
            let cost = Self.cost(parts[3]), let salt = Self.bytes(parts[4], Self.saltBytes),
            let tag = Self.bytes(parts[5], Self.tagBytes)
        else { return nil }
        self.init(cost: cost, salt: salt, tag: tag)
    }

    package var text: String {
        "$argon2id$v=19$m=\(cost.memoryKiB),t=\(cost.iterations),p=1$\(StandardBase64.encodeUnpadded(salt))$\(StandardBase64.encodeUnpadded(tag))"
    }

    /// Whether the hash is of this password. Blocks its thread.
    ///
    /// An imported hash may have our form and be of another spelling. All spellings are compared where they differ, against the
    /// hash of a missing account too, so that time reveals nothing.
    func matches(_ password: PasswordText) throws -> Bool {
        for spelling in password.spellingsComposedFirst where try isTag(of: spelling) { return true }
        return false
    }

    /// The estimated duration of a check that compares every spelling of the password, in seconds.
    func seconds(for password: PasswordText) -> Double {
        Double(password.spellingsComposedFirst.count) * Argon2(cost).seconds
    }

    private func isTag(of password: [UInt8]) throws -> Bool {
        constantTimeEqual(try Argon2(cost).tag(of: password, salt: salt, byteCount: tag.count), tag)
    }

    private static func cost(_ text: Substring) -> PasswordCost? {
        let members = text.split(separator: ",", omittingEmptySubsequences: false)
        guard members.count == 3, members[0].hasPrefix("m="), members[1].hasPrefix("t="), members[2] == "p=1",
            let memory = Int(members[0].dropFirst(2)), let iterations = Int(members[1].dropFirst(2))
        else { return nil }
        return PasswordCost(memoryKiB: memory, iterations: iterations)
    }

    private static func bytes(_ text: Substring, _ count: Int) -> [UInt8]? {
        let bytes = StandardBase64.decode(text, isPadded: false)
        return bytes?.count == count ? bytes : nil
    }
}

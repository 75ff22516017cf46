import AuthAPI

/// What an operator changes of a user: his rights, and his attributes.
struct RightsChange: Sendable, Equatable {
    private static let roleBytesMax = 64

    /// nil: stays.
    let role: String?
    /// nil: stays.
    let isActive: Bool?
    /// Those that are not among them stay.
    let attributes: UserAttributes

    /// Nil when it says nothing, or when the role is not 1 to 64 letters, digits, dots, hyphens and underscores of ASCII: it
    /// goes into a header.
    init?(role: String?, isActive: Bool?, attributes: UserAttributes = UserAttributes()) {
        guard role != nil || isActive != nil || !attributes.isEmpty else { return nil }
        if let role { guard Self.isRole(role) else { return nil } }
        self.role = role
        self.isActive = isActive
        self.attributes = attributes
    }

    /// The user after the change, and the names of the members that differ from before.
    ///
    /// Another role raises the version of the tokens' claims, a deactivation the epoch (design section 4, *Epoch*).
    func applied(to user: User, now: Int64) -> (user: User, changed: [String]) {
        var changed: [String] = []
        var after = user
        if let role, role != user.role {
            after.role = role
            after.version += 1
            changed.append("role")
        }
        if let isActive, isActive != user.isActive {
            after.isActive = isActive
            if !isActive { after.epoch += 1 }
            changed.append("isActive")
        }
        changed += after.attributes.set(attributes)
        if !changed.isEmpty { after.updatedAt = now }
        return (after, changed)
    }

    private static func isRole(_ text: String) -> Bool {
        (1...roleBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

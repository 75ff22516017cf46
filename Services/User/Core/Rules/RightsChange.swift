import AuthAPI
import InternalAPI
import Policies

/// A change of a user's rights and attributes by the operator.
struct RightsChange: Sendable, Equatable {
    private static let roleBytesMax = 64

    /// `nil` keeps the role.
    let role: String?
    /// `nil` keeps the state.
    let isActive: Bool?
    /// Attributes that are missing keep their values.
    let attributes: UserAttributes

    /// - Throws: `InvalidInput` if nothing is to change, or the role is invalid.
    init(role: String?, isActive: Bool?, attributes: UserAttributes) throws(InvalidInput) {
        guard role != nil || isActive != nil || !attributes.isEmpty, role.map(Self.isRole) ?? true
        else { throw .change }
        self.role = role
        self.isActive = isActive
        self.attributes = attributes
    }

    /// The user after the change, and the names of the changed members.
    ///
    /// Another role raises the version of the tokens' claims, and a deactivation raises the epoch (design section 4, *Epoch*).
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

    /// The valid roles, after "role is not".
    static let roles = "1 to 64 of A-Z a-z 0-9 . _ -, and not anon, service_role, postgres or supabase_*"

    /// Whether a text is a valid role: 1 to 64 ASCII letters, digits, dots, hyphens and underscores, since it is sent in a header, and
    /// no database role.
    static func isRole(_ text: String) -> Bool {
        !Policy.isDatabaseRole(text) && (1...roleBytesMax).contains(text.utf8.count)
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

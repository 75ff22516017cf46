internal import AuthAPI

/// What of a profile its owner changes; nothing else of a user can be assigned.
struct ProfileChange: Sendable, Equatable {
    /// nil: stays.
    let name: DisplayName?
    /// nil: stays.
    let isChecker: Bool?

    /// Reads a request; nil when its name is none.
    init?(_ update: UserUpdate) {
        if let typed = update.name {
            guard let name = DisplayName(typed) else { return nil }
            self.name = name
        } else {
            name = nil
        }
        isChecker = update.isChecker
    }

    /// The user after the change, and the names of the members that differ from before.
    func applied(to user: User, now: Int64) -> (user: User, changed: [String]) {
        var changed: [String] = []
        var after = user
        if let name, name.text != user.name {
            after.name = name.text
            changed.append("name")
        }
        if let isChecker, isChecker != user.isChecker {
            after.isChecker = isChecker
            changed.append("isChecker")
        }
        if !changed.isEmpty { after.updatedAt = now }
        return (after, changed)
    }
}

import AuthAPI

/// What of a profile its owner changes; nothing else of a user can be assigned.
struct ProfileChange: Sendable, Equatable {
    /// nil: stays.
    let name: DisplayName?
    /// Those that are not among them stay.
    let attributes: UserAttributes

    /// Reads a request; nil when its name is none.
    ///
    /// - Parameter attributes: what the user may set of the attributes that he wishes.
    init?(name typed: String?, attributes: UserAttributes) {
        if let typed {
            guard let name = DisplayName(typed) else { return nil }
            self.name = name
        } else {
            name = nil
        }
        self.attributes = attributes
    }

    /// The user after the change, and the names of the members that differ from before.
    func applied(to user: User, now: Int64) -> (user: User, changed: [String]) {
        var changed: [String] = []
        var after = user
        if let name, name.text != user.name {
            after.name = name.text
            changed.append("name")
        }
        changed += after.attributes.set(attributes)
        if !changed.isEmpty { after.updatedAt = now }
        return (after, changed)
    }
}

extension KeyForm where Value == Route.Limit? {
    /// - Parameter mayLackUser: Whether requests of the route may have no user to be counted by.
    static func limit(mayLackUser: Bool) -> KeyForm {
        let initial = Route.Limit(rate: RateLimit(max: 1, windowSeconds: 1), caller: mayLackUser ? .address : .user)
        let keys: [Key<Route.Limit>] =
            [
                Key(
                    "per", \.caller, .choice,
                    "The sender that is counted; `user` is the default where the access requires one, else `address`.")
            ] + RateLimit.keys().map { $0.within(\.rate) }
        return .orNone(
            .section(initial, keys) { section, limit in
                guard mayLackUser, limit.caller == .user else { return }
                section.refuse("per", "user is not allowed; requests of this route may have no user")
            })
    }
}

extension KeyForm where Value == Route.Access {
    private static var role: KeyForm<[String]> {
        .section(
            [],
            [
                Key(
                    "role", \.self, .values(1...16, .name), "The roles, one of which is enough.", required: true,
                    example: "[admin]")
            ])
    }

    /// One of the words, or a section with roles.
    static var access: KeyForm {
        let words: [(String, Route.Access)] = [
            ("open", .open), ("optional", .optional), ("bearer", .bearer), ("client", .client),
        ]
        return KeyForm(
            kind: { .either(words.map(\.0), or: role.kind()) },
            read: { value in
                if case .mapping = value.node.content { return role.read(value).map(Route.Access.role) }
                if let word = words.first(where: { value.isWord($0.0) }) { return word.1 }
                let names = words.map(\.0).joined(separator: ", ")
                value.refuse(allowed: names + ", or a section\(SectionGuide.advice(value.keyPath))")
                return nil
            },
            node: { access in
                if case .role(let roles) = access { return role.node(roles) }
                return words.first { $0.1 == access }.map { YAMLNode(word: $0.0) }
            })
    }
}

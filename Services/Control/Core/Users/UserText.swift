internal import InternalAPI

/// A user as the operator reads him.
enum UserText {
    private static let heading = [
        "ID", "NUMBER", "ROLE", "ACTIVE", "CREATED", "LAST SIGN-IN", "DELETION DUE", "SESSIONS", "NAME",
    ]

    /// One line for each user under a heading; the users' own words come last.
    static func table(_ users: [UserFacts]) -> String { TextTable.text([heading] + users.map(row)) }

    /// One line for each of the same values.
    static func card(_ user: UserFacts) -> String {
        TextTable.text(zip(heading, row(user)).map { ["\($0.lowercased()):", $1] })
    }

    private static func row(_ user: UserFacts) -> [String] {
        [
            user.id, user.phoneNumber ?? "-", user.role, user.isActive ? "yes" : "no", TimeText.text(user.createdAt),
            TimeText.text(user.lastSignInAt), TimeText.text(user.deletionDueAt),
            user.sessionCount.map(String.init) ?? "?", user.name ?? "-",
        ]
    }
}

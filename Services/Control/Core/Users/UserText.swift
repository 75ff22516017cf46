import AuthAPI
import InternalAPI

/// A user as the operator reads him.
enum UserText {
    private static let heading = [
        "ID", "NUMBER", "ADDRESS", "ROLE", "ACTIVE", "CREATED", "LAST SIGN-IN", "DELETION DUE", "SESSIONS", "NAME",
    ]

    /// One line for each user under a heading; the users' own words come last.
    static func table(_ users: [UserFacts]) -> String { TextTable.text([heading] + users.map(row)) }

    /// One line for each invitation under a heading.
    static func table(_ invitations: [InvitationFacts]) -> String {
        TextTable.text(
            [["INVITED", "ROLE", "UNTIL"]] + invitations.map { [$0.to, $0.role, TimeText.text($0.expiresAt)] })
    }

    /// One line for each of the same values, and for each attribute.
    static func card(_ user: UserFacts) -> String {
        let attributes = user.attributes?.inOrder ?? []
        return TextTable.text(
            zip(heading, row(user)).map { ["\($0.lowercased()):", $1] }
                + attributes.map { ["attribute \($0.name):", text($0.value)] })
    }

    private static func text(_ value: AttributeValue) -> String {
        switch value {
        case .boolean(let value): String(value)
        case .integer(let value): String(value)
        case .string(let value): value
        }
    }

    private static func row(_ user: UserFacts) -> [String] {
        [
            user.id, user.phoneNumber ?? "-", user.email ?? "-", user.role, user.isActive ? "yes" : "no",
            TimeText.text(user.createdAt),
            TimeText.text(user.lastSignInAt), TimeText.text(user.deletionDueAt),
            user.sessionCount.map(String.init) ?? "?", user.name ?? "-",
        ]
    }
}

import AuthAPI
import InternalAPI

/// Users in a form for the operator.
enum UserText {
    private static let heading = [
        "ID", "NUMBER", "ADDRESS", "PROVIDERS", "ROLE", "ACTIVE", "CREATED", "LAST SIGN-IN", "DELETION DUE", "SESSIONS",
        "NAME",
    ]

    /// Returns one line for each user under a heading; text that users chose comes last.
    static func table(_ users: [UserSummary]) -> String { TextTable.text([heading] + users.map(row)) }

    /// Returns one line for each invitation under a heading.
    static func table(_ invitations: [InvitationSummary]) -> String {
        TextTable.text(
            [["INVITED", "ROLE", "UNTIL"]] + invitations.map { [$0.to, $0.role, TimeText.text($0.expiresAt)] })
    }

    /// Returns one line for each value of the table, and for each identity, attribute and metadata object of the user.
    static func card(_ user: UserSummary) -> String {
        let attributes = user.attributes?.inOrder ?? []
        return TextTable.text(
            zip(heading, row(user)).map { ["\($0.lowercased()):", $1] }
                + (user.identities ?? []).map { ["identity:", "\($0.provider):\($0.subject)"] }
                + (user.mergedInto.map { [["merged into:", $0]] } ?? [])
                + (user.legacyID.map { [["legacy id:", $0]] } ?? [])
                + (user.pending ?? []).map { ["pending \($0.kind.rawValue):", text($0)] }
                + (user.email == nil ? [] : [["mail:", text(user.mail)]])
                + attributes.map { ["attribute \($0.name):", text($0.value)] }
                + (user.metadata.map {
                    [["metadata app:", printable($0.app.text)], ["metadata own:", printable($0.own.text)]]
                } ?? []))
    }

    /// Returns JSON with escapes for the characters that could change what a terminal shows: users choose what is in it.
    private static func printable(_ json: String) -> String {
        json.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns whether mail goes to the user's email address and how many mails were not sent, or '?' while otp-service does
    /// not respond.
    private static func text(_ mail: MailStanding?) -> String {
        guard let mail else { return "?" }
        let state =
            switch mail.block {
            case nil: "sent"
            case .complained: "account mails only until \(TimeText.text(mail.blockedUntil)): called spam"
            case .undeliverable: "not sent until \(TimeText.text(mail.blockedUntil)): it came back"
            }
        guard mail.swallowed > 0 else { return state }
        return "\(state); not sent: \(mail.swallowed), last \(mail.lastKind ?? "-") at \(TimeText.text(mail.lastAt))"
    }

    /// Returns what changes, and when.
    private static func text(_ change: PendingSummary) -> String {
        let subject =
            change.kind == .secondFactor
            ? "the second factor is removed"
            : change.number ?? change.from.map { "\($0) into this account" } ?? change.into.map { "into \($0)" }
                ?? (change.kind == .inactivity ? "the account is removed" : "-")
        return "\(subject), \(change.movesAt.map { "at \(TimeText.text($0))" } ?? "not verified yet")"
    }

    private static func text(_ value: AttributeValue) -> String {
        switch value {
        case .boolean(let value): String(value)
        case .integer(let value): String(value)
        case .string(let value): value
        }
    }

    /// Returns the names of the providers at which the user has accounts, each once.
    private static func providers(_ user: UserSummary) -> String {
        let names = Set((user.identities ?? []).map(\.provider)).sorted()
        return names.isEmpty ? "-" : names.joined(separator: ",")
    }

    private static func row(_ user: UserSummary) -> [String] {
        [
            user.id, user.phoneNumber ?? "-", user.email ?? "-", providers(user), user.role,
            user.isActive ? "yes" : "no",
            TimeText.text(user.createdAt),
            TimeText.text(user.lastSignInAt), TimeText.text(user.deletionDueAt),
            user.sessionCount.map(String.init) ?? "?", user.name ?? "-",
        ]
    }
}

import GRDB

extension DatabaseCheck {
    /// Counts everything in `users.sqlite` about some accounts, like `records(ofUser:)`, each under the account's name.
    ///
    /// - Parameters:
    ///   - accounts: ids of users by their names.
    ///   - identities: phone numbers and other values by their names; counted where they belong to one of the accounts.
    package func records(
        ofAccounts accounts: [String: String], identities: [String: String]
    ) throws -> [String: Int] {
        try read("users.sqlite") { database in
            var counts: [String: Int] = [:]
            for (name, user) in accounts {
                let id = String(user.suffix(32))
                for (what, query) in Self.accountQueries {
                    counts["\(name) \(what)"] = try Int.fetchOne(database, sql: query, arguments: [id])
                }
                for event in try Row.fetchAll(database, sql: Self.accountEvents, arguments: [id, id]) {
                    counts["\(name) \(event[0] as String)"] = event[1]
                }
                for (what, value) in identities {
                    counts["\(what) at \(name)"] = try Int.fetchOne(
                        database, sql: Self.identityAtAccount, arguments: [value, id])
                }
            }
            return counts.filter { $0.value != 0 }
        }
    }

    private static let accountQueries = [
        "users": "SELECT count(*) FROM users WHERE \(isID("id"))",
        "identities": "SELECT count(*) FROM identities WHERE \(isID("user_id"))",
        "epochs": "SELECT epoch FROM users WHERE \(isID("id"))",
        "versions": "SELECT version FROM users WHERE \(isID("id"))",
        "inactive": "SELECT count(*) FROM users WHERE is_active = 0 AND \(isID("id"))",
        "deletions": "SELECT count(*) FROM users WHERE deletion_due_at IS NOT NULL AND \(isID("id"))",
        "passwords": "SELECT count(*) FROM passwords WHERE \(isID("user_id"))",
        "resolutions": "SELECT count(*) FROM resolutions WHERE \(isID("user_id"))",
        "answers": "SELECT count(*) FROM first_answers WHERE \(isID("user_id"))",
        "links": "SELECT count(*) FROM account_links WHERE \(isID("subject"))",
        "decisions": "SELECT count(*) FROM decisions WHERE \(isID("subject"))",
        "pending": "SELECT count(*) FROM pending_changes WHERE \(isID("user_id"))",
        "moving": "SELECT count(*) FROM pending_changes WHERE moves_at IS NOT NULL AND \(isID("user_id"))",
        "reviews": "SELECT count(*) FROM reviews WHERE \(isID("user_id"))",
        "passkeys": "SELECT count(*) FROM passkeys WHERE \(isID("user_id"))",
        "used passkeys": "SELECT count(*) FROM passkeys WHERE last_used_at IS NOT NULL AND \(isID("user_id"))",
        "totp": "SELECT count(*) FROM totp WHERE activated_at IS NOT NULL AND \(isID("user_id"))",
        "totp step": "SELECT last_step FROM totp WHERE \(isID("user_id"))",
        "recovery codes": "SELECT count(*) FROM recovery_codes WHERE \(isID("user_id"))",
        "used codes": "SELECT count(*) FROM recovery_codes WHERE used_at IS NOT NULL AND \(isID("user_id"))",
        "merged": "SELECT count(*) FROM merged_users WHERE \(isID("id"))",
    ]
    private static let accountEvents = """
        SELECT event, count(*) FROM audit WHERE event <> 'user.looked_up' AND subject IN
            (SELECT pseudonym FROM users WHERE \(isID("id")) UNION SELECT pseudonym FROM merged_users WHERE \(isID("id")))
        GROUP BY event
        """
    private static let identityAtAccount = "SELECT count(*) FROM identities WHERE value = ? AND \(isID("user_id"))"

    private static func isID(_ column: String) -> String { "lower(hex(\(column))) = ?" }
}

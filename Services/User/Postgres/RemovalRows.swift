import PostgreSQL
import UserCore

/// Removes users from all tables, inside the caller's transaction.
enum RemovalRows {
    /// Represents a removed user in rows that outlive the user.
    private static let zeroUserID = [UInt8](repeating: 0, count: UserID.byteCount)
    /// The number of ids of a list that one statement contains.
    private static let idsMax = 1_000

    /// Removes a user, with an audit record, and queues messages for other services.
    static func remove(
        _ due: DueUser, messages: [OutboxMessage], now: Int64, in transaction: Transaction
    ) throws {
        let id = due.user.id
        // Messages about the user that still wait are superseded.
        OutboxRows.deleteAll(about: id, in: transaction)
        for message in messages { OutboxRows.insert(message, about: id, dueAt: now, now: now, in: transaction) }
        // Proofs from before the removal create no new account.
        transaction.run(
            "UPDATE resolutions SET user_id = $1 WHERE attestation_id = ANY($2) AND user_id = $3", zeroUserID,
            SQLValue.array(due.proofIDs), id.bytes)
        AccountRows.endLinks(of: id, in: transaction)
        // The stored response to a sign-in contains the email address.
        AccountRows.deleteAnswers(about: id, in: transaction)
        // This also removes the user's identities, password and tokens of Apple's.
        transaction.run("DELETE FROM users WHERE id = $1", id.bytes)
        // The removal itself is on another list.
        transaction.run("DELETE FROM decisions WHERE subject = $1", id.bytes)
        note([id.bytes], in: transaction)
        try AuditRows.append(
            AuditEntry(event: .removed, subject: due.user.pseudonym, origin: RequestOrigin()), now: now,
            in: transaction)
    }

    /// Removes the users that a restore has brought back. Other services need no message, since the raised epoch revokes the
    /// sessions.
    ///
    /// - Parameter ids: The ids of all removed users, 16 bytes each.
    /// - Returns: The number of users that were there.
    static func removeAgain(_ ids: [[UInt8]], now: Int64, in transaction: Transaction) throws -> Int {
        var count = 0
        for start in stride(from: 0, to: ids.count, by: idsMax) {
            let part = ids[start..<min(start + idsMax, ids.count)]
            count += try removeAgain(part: SQLValue.array(part.map { $0 }), now: now, in: transaction)
        }
        return count
    }

    private static func removeAgain(part ids: SQLValue, now: Int64, in transaction: Transaction) throws -> Int {
        transaction.run("UPDATE resolutions SET user_id = $1 WHERE user_id = ANY($2)", zeroUserID, ids)
        let results = try transaction.results([
            Statement("SELECT \(UserRows.columns) FROM users AS u WHERE u.id = ANY($1)", ids),
            Statement("SELECT user_id, \(AppleTokenRows.columns) FROM apple_tokens WHERE user_id = ANY($1)", ids),
            // Only of these the database does not know yet that they were removed.
            Statement(
                """
                SELECT id FROM unnest($1::bytea[]) AS t (id) WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = t.id)
                    AND NOT EXISTS (SELECT 1 FROM removed_users WHERE id = t.id)
                """, ids),
        ])
        let users = try results[0].compactMap(UserRows.user)
        let tokens = Dictionary(grouping: results[1]) { $0.bytes(0) }
        for user in users {
            let revocations = (tokens[user.id.bytes] ?? []).map {
                AppleTokenRows.token($0, from: 1, of: user.id).revocation
            }
            try remove(DueUser(user: user, proofIDs: []), messages: revocations, now: now, in: transaction)
        }
        endRegistrations(results[2].map { $0.bytes(0) }, in: transaction)
        return users.count
    }

    /// Removes the registrations that became removed users after the backup, since their links would create the users again.
    private static func endRegistrations(_ ids: [[UInt8]], in transaction: Transaction) {
        guard !ids.isEmpty else { return }
        let array = SQLValue.array(ids)
        transaction.run("DELETE FROM account_links WHERE subject = ANY($1)", array)
        transaction.run("DELETE FROM registrations WHERE id = ANY($1)", array)
        // Its mails are removed too, since their links are invalid.
        transaction.run("DELETE FROM outbox WHERE user_id = ANY($1)", array)
        note(ids, in: transaction)
    }

    private static func note(_ ids: [[UInt8]], in transaction: Transaction) {
        transaction.run(
            "INSERT INTO removed_users (id) SELECT id FROM unnest($1::bytea[]) AS t (id) ON CONFLICT DO NOTHING",
            SQLValue.array(ids))
    }
}

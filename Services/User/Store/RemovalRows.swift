import Storage
import UserCore

/// Removes users from all tables, inside the caller's transaction.
enum RemovalRows {
    /// Represents a removed user in rows that outlive the user.
    private static let zeroUserID = [UInt8](repeating: 0, count: UserID.byteCount)
    /// The number of ids of a list whose statements travel together.
    private static let idsMax = 256

    /// Removes a user, with an audit record, and queues messages for other services.
    static func remove(
        _ due: DueUser, messages: [OutboxMessage], now: Int64, in transaction: any Transaction
    ) throws {
        let id = due.user.id
        // Messages about the user that still wait are superseded.
        try OutboxRows.deleteAll(about: id, in: transaction)
        for message in messages { try OutboxRows.insert(message, about: id, dueAt: now, now: now, in: transaction) }
        // Proofs from before the removal create no new account.
        for proof in due.proofIDs {
            try transaction.run(
                "UPDATE resolutions SET user_id = $1 WHERE attestation_id = $2 AND user_id = $3", zeroUserID, proof,
                id.bytes)
        }
        try transaction.run("DELETE FROM account_links WHERE subject = $1", id.bytes)
        // The stored response to a sign-in contains the email address.
        try AccountRows.deleteAnswers(about: id, in: transaction)
        try MergedRows.noteRemoved(into: id, in: transaction)
        // This also removes the user's identities, password and tokens of Apple's.
        try transaction.run("DELETE FROM users WHERE id = $1", id.bytes)
        // The removal itself is on another list.
        try transaction.run("DELETE FROM decisions WHERE subject = $1", id.bytes)
        try note(id.bytes, in: transaction)
        try AuditRows.append(
            AuditEntry(event: .removed, subject: due.user.pseudonym, origin: RequestOrigin()), now: now,
            in: transaction)
    }

    private static let isNoted: SQL = "SELECT 1 FROM removed_users WHERE id = $1"

    /// Removes the users that a restore has brought back. Other services need no message, since the raised epoch revokes the
    /// sessions.
    ///
    /// - Parameter ids: The ids of all removed users, 16 bytes each.
    /// - Returns: The number of users that were there.
    static func removeAgain(_ ids: [[UInt8]], now: Int64, in transaction: any Transaction) throws -> Int {
        var count = 0
        for start in stride(from: 0, to: ids.count, by: idsMax) {
            let part = ids[start..<min(start + idsMax, ids.count)]
            // Their table has no index by user, so it is read whole, once for all of them.
            let forgetting: SQL = """
                UPDATE resolutions SET user_id = $1 WHERE user_id IN (\(SQL.places(from: 2, count: part.count)))
                """
            try transaction.run([Statement(forgetting, [zeroUserID] + part)])
            let users = try transaction.results(part.map { Statement(UserRows.byID, $0) })
            let notes = try transaction.results(part.map { Statement(isNoted, $0) })
            for (id, rows) in zip(part, zip(users, notes)) {
                if let user = try rows.0.first.flatMap(UserRows.user) {
                    let tokens = try transaction.rows(AppleTokenRows.ofUser, id)
                    let revocations = tokens.map { AppleTokenRows.token($0, from: 0, of: user.id).revocation }
                    try remove(DueUser(user: user, proofIDs: []), messages: revocations, now: now, in: transaction)
                    count += 1
                } else if rows.1.isEmpty {
                    try endRegistration(id, in: transaction)
                }
            }
        }
        return count
    }

    /// Removes the registration that became a removed user after the backup, since its link would create the user again.
    private static func endRegistration(_ id: [UInt8], in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM account_links WHERE subject = $1", id)
        try transaction.run("DELETE FROM registrations WHERE id = $1", id)
        // Its mails are removed too, since their links are invalid.
        try transaction.run("DELETE FROM outbox WHERE user_id = $1", id)
        try note(id, in: transaction)
    }

    private static func note(_ id: [UInt8], in transaction: any Transaction) throws {
        try transaction.run("INSERT INTO removed_users (id) VALUES ($1) ON CONFLICT DO NOTHING", id)
    }
}

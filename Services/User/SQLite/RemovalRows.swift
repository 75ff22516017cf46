import Foundation
import GRDB
import SQLiteStore
import UserCore

/// Removes a user from all tables, inside the caller's transaction.
struct RemovalRows {
    /// Represents a removed user in rows that outlive the user.
    private static let zeroUserID = Data(count: UserID.byteCount)

    let database: Database

    /// Removes a user, with an audit record, and queues messages for other services.
    ///
    /// - Parameters:
    ///   - proofIDs: the ids of proofs that were resolved to the user and may be presented again. They lead to no user from now
    ///     on, so that a proof from before the removal creates no new account.
    ///   - messages: the messages for other services.
    func remove(_ user: User, proofIDs: [String], messages: [OutboxMessage], now: Int64) throws {
        try AuditRows(database: database).append(
            AuditEntry(event: .removed, subject: user.pseudonym, origin: RequestOrigin()), now: now)
        // Messages about the user that still wait are superseded.
        let outbox = OutboxRows(database: database)
        try outbox.deleteAll(about: user.id)
        for message in messages { try outbox.insert(message, about: user.id, dueAt: now, now: now) }
        for token in try AppleTokenRows(database: database).tokens(of: user.id) {
            try outbox.insert(token.revocation, about: user.id, dueAt: now, now: now)
        }
        for id in proofIDs { try forget(attestation: id, of: user.id) }
        let accounts = AccountRows(database: database)
        try accounts.endLinks(of: user.id)
        // The stored response to a sign-in contains the email address.
        try accounts.deleteAnswers(about: user.id)
        // This also removes the user's identities, password and tokens of Apple's.
        try database.run("DELETE FROM users WHERE id = ?", [user.id])
        try DecisionRows(database: database).forget(user.id)
        try note(user.id)
    }

    /// Removes the users that a restore has brought back. Other services need no message, since the raised epoch revokes the
    /// sessions.
    func removeOrdered(now: Int64) throws {
        try database.run(
            "UPDATE resolutions SET user_id = ? WHERE user_id IN (SELECT id FROM ordered_removals)", [Self.zeroUserID])
        for id in try OrderedRemovals.ids(in: database).compactMap(UserID.init(bytes:)) {
            if let user = try UserRows(database: database).user(id) {
                try remove(user, proofIDs: [], messages: [], now: now)
            } else if try !hasRemoved(id) {
                try endRegistration(id)
                try note(id)
            }
        }
        try OrderedRemovals.clear(in: database)
    }

    /// Removes the registration that became a removed user after the backup, since its link would create the user again.
    private func endRegistration(_ id: UserID) throws {
        try AccountRows(database: database).endRegistration(id)
        // Its mails are removed too, since their links are invalid.
        try database.run("DELETE FROM outbox WHERE user_id = ?", [id])
    }

    private func forget(attestation id: String, of user: UserID) throws {
        try database.run(
            "UPDATE resolutions SET user_id = ? WHERE attestation_id = ? AND user_id = ?",
            [Self.zeroUserID, id, user])
    }

    /// Whether a user with this id was removed.
    func hasRemoved(_ id: UserID) throws -> Bool {
        try database.value("SELECT EXISTS (SELECT 1 FROM removed_users WHERE id = ?)", [id]) ?? false
    }

    private func note(_ id: UserID) throws {
        try database.run("INSERT OR IGNORE INTO removed_users (id) VALUES (?)", [id])
    }
}

import Foundation
import GRDB
import SQLiteStore
import UserCore

/// Takes a user out of every table, inside the caller's transaction.
struct RemovalRows {
    static let migrations = [removedUsers, dueUsers]

    /// The bare ids of those who were removed, so that a restored backup can be rid of them again.
    private static let removedUsers = Migration(
        "removed users",
        "CREATE TABLE removed_users (id BLOB PRIMARY KEY CHECK (length(id) = 16)) WITHOUT ROWID")

    /// Costs nothing for the users who stay.
    private static let dueUsers = Migration(
        "due users",
        "CREATE INDEX users_by_deletion ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL")

    /// Stands for a removed user where a row has to outlive him.
    private static let nobody = Data(count: UserID.byteCount)

    let database: Database

    /// - Parameters:
    ///   - proofIDs: those that led to the user and may come again: they lead to nobody from now on, so that a proof
    ///     from before the removal makes no new account.
    ///   - messages: what other services are to be told.
    func remove(_ user: User, proofIDs: [String], messages: [OutboxMessage], now: Int64) throws {
        try AuditRows(database: database).append(
            AuditEntry(event: .removed, subject: user.pseudonym, origin: RequestOrigin()), now: now)
        // What still waits to be told of him is overtaken.
        let outbox = OutboxRows(database: database)
        try outbox.deleteAll(about: user.id)
        for message in messages { try outbox.insert(message, about: user.id, dueAt: now, now: now) }
        for id in proofIDs { try forget(attestation: id, of: user.id) }
        let accounts = AccountRows(database: database)
        try accounts.endLinks(of: user.id)
        // A login's proof names the address.
        try accounts.deleteAnswers(about: user.id)
        // The user's identities and password go too.
        try database.run("DELETE FROM users WHERE id = ?", [user.id])
        try DecisionRows(database: database).forget(user.id)
        try note(user.id)
    }

    /// Removes the users whom a restore has brought back; nobody is to be told, since their sessions end with the epoch.
    func removeOrdered(now: Int64) throws {
        try database.run(
            "UPDATE resolutions SET user_id = ? WHERE user_id IN (SELECT id FROM ordered_removals)", [Self.nobody])
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

    /// Ends the registration that became one of them after the backup was taken: its link would make him anew.
    private func endRegistration(_ id: UserID) throws {
        try AccountRows(database: database).endRegistration(id)
        // Its mails too: what they ask for is over.
        try database.run("DELETE FROM outbox WHERE user_id = ?", [id])
    }

    private func forget(attestation id: String, of user: UserID) throws {
        try database.run(
            "UPDATE resolutions SET user_id = ? WHERE attestation_id = ? AND user_id = ?",
            [Self.nobody, id, user])
    }

    /// Whether a user with this id was removed.
    func hasRemoved(_ id: UserID) throws -> Bool {
        try database.value("SELECT EXISTS (SELECT 1 FROM removed_users WHERE id = ?)", [id]) ?? false
    }

    private func note(_ id: UserID) throws {
        try database.run("INSERT OR IGNORE INTO removed_users (id) VALUES (?)", [id])
    }
}

import InternalAPI
import Storage
import UserCore

/// Writes and reads rows of `merged_users`: what remains of users who were merged into others.
enum MergedRows {
    /// How many seconds Apple's tokens of the user wait for the other user to have the identity, who keeps them then. After a restore,
    /// the identity is given again when user-service starts.
    private static let tokensWaitSeconds: Int64 = 3_600

    /// Removes a user in favour of another, who gets the claims, the known devices and networks and, if they have none, the legacy id.
    static func merge(_ user: User, into other: UserID, now: Int64, in transaction: any Transaction) throws {
        let id = user.id.bytes
        for row in try transaction.rows(AppleTokenRows.ofUser, id) {
            try OutboxRows.insert(
                AppleTokenRows.token(row, from: 0, of: user.id).revocation, about: user.id,
                dueAt: now + tokensWaitSeconds, now: now, in: transaction)
        }
        try transaction.run(
            "UPDATE unverified_addresses SET user_id = $2 WHERE user_id = $1", id, other.bytes)
        try transaction.run("UPDATE merged_users SET into_user = $2 WHERE into_user = $1", id, other.bytes)
        try AccountRows.endLinks(of: user.id, in: transaction)
        // The owner of a merged account can still report that the merge, or a change before it, was not theirs.
        try transaction.run("UPDATE account_links SET subject = $2 WHERE subject = $1", id, other.bytes)
        try AccountRows.deleteAnswers(about: user.id, in: transaction)
        try OriginRows.move(from: user.id, to: other, now: now, in: transaction)
        try PasskeyRows.move(from: user.id, to: other, now: now, in: transaction)
        // This also removes the user's identities, password and tokens of Apple's.
        try transaction.run("DELETE FROM users WHERE id = $1", id)
        try transaction.run(
            "UPDATE users SET legacy_id = $2 WHERE id = $1 AND legacy_id IS NULL", other.bytes, user.legacyID)
        try transaction.run(
            """
            INSERT INTO merged_users (id, into_user, pseudonym, epoch, created_at) VALUES ($1, $2, $3, $4, $5)
            """, id, other.bytes, user.pseudonym.bytes, user.endingSessions(at: now).epoch, user.createdAt)
    }

    private static let columns: SQL = "SELECT id, into_user, pseudonym, epoch, created_at FROM merged_users"
    static let byID: SQL = "\(columns) WHERE id = $1"
    /// Selects the users who were merged into a user.
    static let intoUser: SQL = "\(columns) WHERE into_user = $1"

    static func merged(_ row: Row) throws -> MergedUser {
        guard let pseudonym = Pseudonym(bytes: row.bytes(2)) else {
            throw StorageError(.corrupt, "a merged user's pseudonym does not have 16 bytes")
        }
        return MergedUser(
            id: try row.userID(0), into: try row.userID(1), pseudonym: pseudonym, epoch: row.integer(3),
            createdAt: row.integer(4))
    }

    /// Notes the users who were merged into one that is removed among the removed ones. Their rows go with that user's.
    static func noteRemoved(into user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM decisions WHERE subject IN (SELECT id FROM merged_users WHERE into_user = $1)", user.bytes)
        try transaction.run(
            """
            INSERT INTO removed_users (id) SELECT id FROM merged_users WHERE into_user = $1 ON CONFLICT DO NOTHING
            """, user.bytes)
    }
}

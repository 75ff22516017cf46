import InternalAPI
import Storage
import UserCore

/// Reads and removes rows of `restored_identities`: identities that users were given after the moment to which a restore went back.
/// They are sealed, so a running user-service gives them to the users again.
enum RestoredIdentityRows {
    /// Keeps an identity until user-service starts; a row results if the user exists.
    static func insertion(_ identity: DecisionSummary.Identity, _ sealed: String) -> Statement {
        Statement(
            """
            INSERT INTO restored_identities (user_id, kind, since, sealed)
            SELECT id, $2, $3, $4 FROM users WHERE id = $1
            ON CONFLICT (user_id, sealed) DO NOTHING RETURNING 1
            """, identity.user.bytes, identity.kind, identity.since, sealed)
    }

    static func all(limit: Int, in reader: any StatementReader) throws -> [RestoredIdentity] {
        try reader.rows("SELECT user_id, since, sealed FROM restored_identities ORDER BY since LIMIT $1", Int64(limit))
            .map { RestoredIdentity(user: try $0.userID(0), since: $0.integer(1), sealed: $0.text(2)) }
    }

    static func end(_ sealed: String, of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM restored_identities WHERE user_id = $1 AND sealed = $2", user.bytes, sealed)
    }
}

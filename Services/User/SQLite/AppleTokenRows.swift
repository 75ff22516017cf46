import GRDB
import InternalAPI
import SQLiteStore
import UserCore

/// Reads and writes rows of `apple_tokens`, inside the caller's transaction.
struct AppleTokenRows {
    let database: Database

    /// Stores a token, or queues its revocation if the user does not hold the identity any more.
    func keep(_ token: AppleToken, now: Int64) throws -> KeptToken {
        let identities = IdentityRows(database: database)
        guard try identities.holder(of: token.identity) == token.user else {
            try OutboxRows(database: database).insert(token.revocation, about: token.user, dueAt: now, now: now)
            return .revoking
        }
        // The sign-in was before the end of the user's consent.
        if let from = try identities.tokensFrom(of: token.identity), token.signedInAt < from { return .dropped }
        try database.run(
            """
            INSERT INTO apple_tokens (user_id, subject, client_id, payload, signed_in_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (user_id, subject, client_id) DO UPDATE SET payload = excluded.payload,
                signed_in_at = excluded.signed_in_at
            WHERE excluded.signed_in_at >= signed_in_at
            """, [token.user, token.subject, token.clientID, token.payload, token.signedInAt])
        return .stored
    }

    func forget(of user: UserID, subject: String) throws {
        try database.run("DELETE FROM apple_tokens WHERE user_id = ? AND subject = ?", [user, subject])
    }

    /// Returns all tokens of a user.
    func tokens(of user: UserID) throws -> [AppleToken] {
        try database.rows(
            "SELECT subject, client_id, payload, signed_in_at FROM apple_tokens WHERE user_id = ?", [user]
        ).map { row in
            AppleToken(user: user, subject: row[0], clientID: row[1], payload: row[2], signedInAt: row[3])
        }
    }
}

import InternalAPI
import Storage
import UserCore

/// Reads and writes rows of `apple_tokens`.
enum AppleTokenRows {
    static let columns = "subject, client_id, payload, signed_in_at"

    /// Selects all tokens of a user.
    static let ofUser: SQL = "SELECT \(columns) FROM apple_tokens WHERE user_id = $1"

    /// Reads the columns, the first of which is at a position of the row.
    static func token(_ row: Row, from first: Int, of user: UserID) -> AppleToken {
        AppleToken(
            user: user, subject: row.text(first), clientID: row.text(first + 1), payload: row.text(first + 2),
            signedInAt: row.integer(first + 3))
    }

    /// Stores a token, or queues its revocation if the user does not hold the identity any more. The caller has locked both.
    static func keep(_ token: AppleToken, now: Int64, in transaction: any Transaction) throws -> KeptToken {
        let identity = try transaction.rows(
            "SELECT user_id, tokens_from FROM identities WHERE kind = $1 AND value = $2",
            token.identity.kind.rawValue, token.identity.value
        ).first
        guard let identity, try identity.userID(0) == token.user else {
            try OutboxRows.insert(token.revocation, about: token.user, dueAt: now, now: now, in: transaction)
            return .revoking
        }
        // The sign-in was before the end of the user's consent.
        if let from = identity.optionalInteger(1), token.signedInAt < from { return .dropped }
        try transaction.run(
            """
            INSERT INTO apple_tokens (user_id, subject, client_id, payload, signed_in_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (user_id, subject, client_id) DO UPDATE SET payload = excluded.payload,
                signed_in_at = excluded.signed_in_at
            WHERE excluded.signed_in_at >= apple_tokens.signed_in_at
            """, token.user.bytes, token.subject, token.clientID, token.payload, token.signedInAt)
        return .stored
    }

    /// Queues the revocation of the tokens of an identity that the user gives up, and forgets them.
    static func revoke(of user: UserID, subject: String, now: Int64, in transaction: any Transaction) throws {
        let rows = try transaction.rows("\(ofUser) AND subject = $2", user.bytes, subject)
        for row in rows {
            try OutboxRows.insert(
                token(row, from: 0, of: user).revocation, about: user, dueAt: now, now: now, in: transaction)
        }
        try forget(of: user, subject: subject, in: transaction)
    }

    static func forget(of user: UserID, subject: String, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM apple_tokens WHERE user_id = $1 AND subject = $2", user.bytes, subject)
    }
}

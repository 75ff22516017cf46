import InternalAPI
import Storage
import UserCore

/// Reads and writes rows of `known_origins`.
enum OriginRows {
    /// Selects the rows of the user who has an identity.
    static let byIdentity: SQL = """
        SELECT kind, tag, seen_at FROM known_origins
        WHERE user_id = (SELECT user_id FROM identities WHERE kind = $1 AND value = $2)
        """

    static let byUser: SQL = "SELECT kind, tag, seen_at FROM known_origins WHERE user_id = $1"

    static let expiry = ExpirySweep(
        table: "known_origins", key: "user_id", expiry: "seen_at", outlivesSeconds: KnownOrigin.keptSeconds)

    /// Reads a row of `byIdentity`; `nil` for a kind of a newer release.
    static func origin(_ row: Row) -> KnownOrigin? {
        KnownOrigin.Kind(rawValue: row.text(0)).map { KnownOrigin($0, tag: row.bytes(1), seenAt: row.integer(2)) }
    }

    static func note(_ origins: [KnownOrigin], of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            origins.map {
                Statement(
                    """
                    INSERT INTO known_origins (user_id, kind, tag, seen_at) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (user_id, kind, tag) DO UPDATE SET seen_at = excluded.seen_at
                    """, user.bytes, $0.kind.rawValue, $0.tag, $0.seenAt)
            })
    }

    static func forget(_ origins: [KnownOrigin], of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            origins.map {
                Statement(
                    "DELETE FROM known_origins WHERE user_id = $1 AND kind = $2 AND tag = $3", user.bytes,
                    $0.kind.rawValue, $0.tag)
            })
    }

    /// Removes a user's anomalies, so that they count for no further review.
    static func forgetAnomalies(of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM known_origins WHERE user_id = $1 AND kind = $2", user.bytes,
            KnownOrigin.Kind.anomaly.rawValue)
    }
}

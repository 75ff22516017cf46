import InternalAPI
import Storage
import UserCore

/// Reads and writes rows of `known_origins`.
enum OriginRows {
    private static let columns: SQL = "kind, tag, seen_at, tagged_for"

    /// Selects the rows of the user who has an identity.
    static let byIdentity: SQL = """
        SELECT \(columns) FROM known_origins
        WHERE user_id = (SELECT user_id FROM identities WHERE kind = $1 AND value = $2)
        """

    /// Selects the rows of the user who has a passkey.
    static let byPasskey: SQL =
        "SELECT \(columns) FROM known_origins WHERE user_id = (SELECT user_id FROM passkeys WHERE key = $1)"

    static let byUser: SQL = "SELECT \(columns) FROM known_origins WHERE user_id = $1"

    static let expiry = ExpirySweep(
        table: "known_origins", key: "user_id", expiry: "seen_at", outlivesSeconds: KnownOrigin.keptSeconds)

    /// Reads a row of `byIdentity`; `nil` for a kind of a newer release.
    static func origin(_ row: Row) -> KnownOrigin? {
        KnownOrigin.Kind(rawValue: row.text(0)).map {
            KnownOrigin(
                $0, tag: row.bytes(1), seenAt: row.integer(2), taggedFor: row.optionalBytes(3).flatMap(UserID.init))
        }
    }

    static func note(_ origins: [KnownOrigin], of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            origins.map {
                Statement(
                    """
                    INSERT INTO known_origins (user_id, kind, tag, seen_at, first_seen_at) VALUES ($1, $2, $3, $4, $4)
                    ON CONFLICT (user_id, kind, tag) DO UPDATE SET seen_at = excluded.seen_at,
                        first_seen_at = CASE WHEN known_origins.seen_at > excluded.seen_at - \(KnownOrigin.keptSeconds)
                            THEN known_origins.first_seen_at ELSE excluded.first_seen_at END
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

    private static let reported: SQL = """
        DELETE FROM known_origins WHERE user_id = $1 AND kind IN ($2, $3) AND first_seen_at >= $4
        """

    /// Adds the row of the last notice, if the user has rows and not that one.
    private static let marked: SQL = """
        INSERT INTO known_origins (user_id, kind, tag, seen_at, first_seen_at)
        SELECT id, $2, $3, CAST($4 AS bigint), CAST($4 AS bigint) FROM users
        WHERE id = $1 AND EXISTS (SELECT 1 FROM known_origins WHERE user_id = $1) ON CONFLICT DO NOTHING
        """

    /// Removes the devices and networks of a user that appeared with a reported event or after it, or in the days before it: somebody who
    /// changes an account has signed in first.
    ///
    /// They may be all. The row of a notice stays, so that the next sign-in is not taken for the user's first; one that is added here is
    /// old enough to put off no notice.
    ///
    /// - Parameter time: The Unix time in seconds of the event.
    static func forgetReported(of user: UserID, since time: Int64, now: Int64, in transaction: any Transaction) throws {
        let mark = KnownOrigin.notice(at: now - KnownOrigin.noticeSeconds)
        try transaction.run([
            Statement(marked, user.bytes, mark.kind.rawValue, mark.tag, mark.seenAt),
            Statement(
                reported, user.bytes, KnownOrigin.Kind.device.rawValue, KnownOrigin.Kind.network.rawValue,
                time - KnownOrigin.suspectSeconds),
        ])
    }

    private static let surplus: SQL = """
        DELETE FROM known_origins WHERE user_id = $1 AND kind = $2 AND tag NOT IN
            (SELECT tag FROM known_origins WHERE user_id = $1 AND kind = $2
                ORDER BY tagged_for IS NOT NULL, seen_at DESC LIMIT $3)
        """

    /// Gives a merged user's devices, networks and anomalies to another user, who keeps their own and then the newest.
    ///
    /// The other user has them since the merge, so that a report of the merge removes them.
    static func move(from merged: UserID, to user: UserID, now: Int64, in transaction: any Transaction) throws {
        try transaction.run(
            """
            UPDATE known_origins SET user_id = $2, tagged_for = coalesce(tagged_for, $1), first_seen_at = $4
            WHERE user_id = $1 AND kind <> $3
            """, merged.bytes, user.bytes, KnownOrigin.Kind.notice.rawValue, now)
        try transaction.run(
            KnownOrigin.Kind.allCases.map { Statement(surplus, user.bytes, $0.rawValue, KnownOrigin.countMax) })
    }

    /// Removes a user's anomalies since the begin of the open review, so that they count for no further review. Earlier ones still count.
    static func forgetReviewedAnomalies(of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            """
            DELETE FROM known_origins WHERE user_id = $1 AND kind = $2
                AND seen_at >= (SELECT since FROM reviews WHERE user_id = $1)
            """, user.bytes, KnownOrigin.Kind.anomaly.rawValue)
    }
}

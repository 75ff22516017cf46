import InternalAPI
import PostgreSQL
import TokenCore

/// The revocations, together with the floors of changed rights.
struct PostgresRevocations: RevocationStore {
    let database: PostgreSQLDatabase
    let userIDs: StoredUserID

    private static let columns = "sid, reason, access_expires_at"

    func unpublishedCount() async throws -> Int64 {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT (SELECT count(*) FROM revocations WHERE NOT published)
                    + (SELECT count(*) FROM version_floors WHERE NOT published)
                    + (SELECT count(*) FROM key_revocations WHERE NOT published)
                """
            ).first?.integer(0) ?? 0
        }
    }

    func unpublished(limit: Int) async throws -> [Revocation] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.columns) FROM revocations WHERE NOT published ORDER BY access_expires_at LIMIT $1::bigint
                """, limit
            ).compactMap(Self.revocation)
        }
    }

    func unpublished(ofUser userID: String) async throws -> [Revocation] {
        try await database.read { try $0.rows(Self.ofUser, userIDs.value(userID)).compactMap(Self.revocation) }
    }

    func live(after: SessionID?, limit: Int, now: Int64) async throws -> [Revocation] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.columns) FROM revocations WHERE sid > $1 AND access_expires_at > $2
                ORDER BY sid LIMIT $3::bigint
                """, after?.bytes ?? [], now - Revocation.extraSeconds, limit
            ).compactMap(Self.revocation)
        }
    }

    func markPublished(_ sessions: [SessionID]) async throws {
        guard !sessions.isEmpty else { return }
        let ids = SQLValue.array(sessions.map(\.bytes))
        try await database.write { transaction in
            transaction.run(
                """
                WITH locked AS (SELECT sid FROM revocations WHERE sid = ANY($1) ORDER BY sid FOR UPDATE)
                UPDATE revocations SET published = true FROM locked WHERE revocations.sid = locked.sid
                """, ids)
        }
    }

    /// Returns the session's revocation while Redis may not know it.
    static func unpublished(of id: SessionID, in transaction: Transaction) throws -> Revocation? {
        try transaction.rows("SELECT \(columns) FROM revocations WHERE sid = $1 AND NOT published", id.bytes)
            .first.flatMap(revocation)
    }

    /// Returns the revocations of all sessions of a user, in its stored form, while Redis may not know them.
    static func unpublished(ofUser user: [UInt8], in transaction: Transaction) throws -> [Revocation] {
        try transaction.rows(ofUser, user).compactMap(revocation)
    }

    private static let ofUser = """
        SELECT \(columns) FROM revocations WHERE NOT published
            AND sid IN (SELECT sid FROM sessions WHERE user_id = $1 AND is_revoked)
        """

    private static func revocation(_ row: Row) -> Revocation? {
        guard let id = SessionID(bytes: row.bytes(0)) else { return nil }
        return Revocation(
            sessionID: id, reason: RevocationReason(code: Int(clamping: row.integer(1))),
            accessExpiresAt: row.integer(2))
    }
}

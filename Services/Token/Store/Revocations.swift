import InternalAPI
import Storage
import TokenCore

/// The revocations, together with the floors of changed rights.
struct Revocations: RevocationStore {
    let database: any StorageDatabase
    let userIDs: StoredUserID

    private static let columns = "sid, reason, access_expires_at"

    func unpublishedCount() async throws -> Int64 {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT (SELECT count(*) FROM revocations WHERE published = false)
                    + (SELECT count(*) FROM version_floors WHERE published = false)
                    + (SELECT count(*) FROM key_revocations WHERE published = false)
                """
            ).first?.integer(0) ?? 0
        }
    }

    func unpublished(limit: Int) async throws -> [Revocation] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.columns) FROM revocations WHERE published = false ORDER BY access_expires_at LIMIT $1
                """, limit
            ).compactMap(Self.revocation)
        }
    }

    func unpublished(ofUser userID: String) async throws -> [Revocation] {
        try await database.read { try $0.rows(Self.ofUser, userIDs.value(userID)).compactMap(Self.revocation) }
    }

    func add(_ revocation: Revocation) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                INSERT INTO revocations (sid, reason, access_expires_at, published) VALUES ($1, $2, $3, false)
                ON CONFLICT (sid) DO UPDATE SET published = false,
                    access_expires_at = greatest(revocations.access_expires_at, excluded.access_expires_at)
                """, revocation.sessionID.bytes, revocation.reason.code, revocation.accessExpiresAt)
        }
    }

    func live(after: SessionID?, limit: Int, now: Int64) async throws -> [Revocation] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.columns) FROM revocations WHERE sid > $1 AND access_expires_at > $2
                ORDER BY sid LIMIT $3
                """, after?.bytes ?? [], now - Revocation.extraSeconds, limit
            ).compactMap(Self.revocation)
        }
    }

    private static let published: SQL = "UPDATE revocations SET published = true WHERE sid = $1"

    /// Rows are locked in one order, so that two replicas never wait in a circle.
    func markPublished(_ sessions: [SessionID]) async throws {
        let ids = sessions.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
        guard !ids.isEmpty else { return }
        try await database.write { transaction in try transaction.run(ids.map { Statement(Self.published, $0) }) }
    }

    /// Returns the session's revocation while Redis may not know it.
    static func unpublished(of id: SessionID, in transaction: any Transaction) throws -> Revocation? {
        try transaction.rows("SELECT \(columns) FROM revocations WHERE sid = $1 AND published = false", id.bytes)
            .first.flatMap(revocation)
    }

    /// Returns the revocations of all sessions of a user, in its stored form, while Redis may not know them.
    static func unpublished(ofUser user: [UInt8], in transaction: any Transaction) throws -> [Revocation] {
        try transaction.rows(ofUser, user).compactMap(revocation)
    }

    /// Returns the revocations of all sessions in which a user, in its stored form, acts as others, while Redis may not know them.
    static func unpublished(byActor actor: [UInt8], in transaction: any Transaction) throws -> [Revocation] {
        try transaction.rows(byActor, actor).compactMap(revocation)
    }

    private static let byActor: SQL = """
        SELECT \(columns) FROM revocations WHERE published = false
            AND sid IN (SELECT sid FROM sessions WHERE actor = $1 AND is_revoked = true)
        """

    private static let ofUser: SQL = """
        SELECT \(columns) FROM revocations WHERE published = false
            AND sid IN (SELECT sid FROM sessions WHERE user_id = $1 AND is_revoked = true)
        """

    private static func revocation(_ row: Row) -> Revocation? {
        guard let id = SessionID(bytes: row.bytes(0)) else { return nil }
        return Revocation(
            sessionID: id, reason: RevocationReason(code: Int(clamping: row.integer(1))),
            accessExpiresAt: row.integer(2))
    }
}

import PostgreSQL
import TokenCore

/// The floors of changed rights.
extension PostgresRevocations {
    private static let floorColumns = "sid, version, access_expires_at"

    func unpublishedFloors(limit: Int) async throws -> [VersionFloor] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.floorColumns) FROM version_floors WHERE NOT published
                ORDER BY access_expires_at LIMIT $1::bigint
                """, limit
            ).compactMap(Self.floor)
        }
    }

    func unpublishedFloors(ofUser userID: String) async throws -> [VersionFloor] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.floorColumns) FROM version_floors WHERE NOT published
                    AND sid IN (SELECT sid FROM sessions WHERE user_id = $1)
                """, userIDs.value(userID)
            ).compactMap(Self.floor)
        }
    }

    func liveFloors(after: SessionID?, limit: Int, now: Int64) async throws -> [VersionFloor] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.floorColumns) FROM version_floors WHERE sid > $1 AND access_expires_at > $2
                ORDER BY sid LIMIT $3::bigint
                """, after?.bytes ?? [], now - Revocation.extraSeconds, limit
            ).compactMap(Self.floor)
        }
    }

    /// A floor that has risen meanwhile still has to be published.
    func markPublished(_ floors: [VersionFloor]) async throws {
        guard !floors.isEmpty else { return }
        let (ids, versions) = (SQLValue.array(floors.map(\.sessionID.bytes)), SQLValue.array(floors.map(\.version)))
        try await database.write { transaction in
            transaction.run(
                """
                WITH locked AS (SELECT sid FROM version_floors WHERE sid = ANY($1) ORDER BY sid FOR UPDATE)
                UPDATE version_floors AS f SET published = true
                FROM unnest($1::bytea[], $2::bigint[]) AS g (sid, version) JOIN locked USING (sid)
                WHERE f.sid = g.sid AND f.version = g.version
                """, ids, versions)
        }
    }

    private static func floor(_ row: Row) -> VersionFloor? {
        guard let id = SessionID(bytes: row.bytes(0)) else { return nil }
        return VersionFloor(sessionID: id, version: row.integer(1), accessExpiresAt: row.integer(2))
    }
}

import Storage
import TokenCore

/// The floors of changed rights.
extension Revocations {
    private static let floorColumns = "sid, version, access_expires_at"

    func unpublishedFloors(limit: Int) async throws -> [VersionFloor] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.floorColumns) FROM version_floors WHERE published = false
                ORDER BY access_expires_at LIMIT $1
                """, limit
            ).compactMap(Self.floor)
        }
    }

    func unpublishedFloors(ofUser userID: String) async throws -> [VersionFloor] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT \(Self.floorColumns) FROM version_floors WHERE published = false
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
                ORDER BY sid LIMIT $3
                """, after?.bytes ?? [], now - Revocation.extraSeconds, limit
            ).compactMap(Self.floor)
        }
    }

    private static let publishedFloor: SQL =
        "UPDATE version_floors SET published = true WHERE sid = $1 AND version = $2"

    /// A floor that has risen meanwhile still has to be published. Rows are locked in one order, so that two replicas never wait in
    /// a circle.
    func markPublished(_ floors: [VersionFloor]) async throws {
        let statements = floors.sorted { $0.sessionID.bytes.lexicographicallyPrecedes($1.sessionID.bytes) }
            .map { Statement(Self.publishedFloor, $0.sessionID.bytes, $0.version) }
        guard !statements.isEmpty else { return }
        try await database.write { try $0.run(statements) }
    }

    private static func floor(_ row: Row) -> VersionFloor? {
        guard let id = SessionID(bytes: row.bytes(0)) else { return nil }
        return VersionFloor(sessionID: id, version: row.integer(1), accessExpiresAt: row.integer(2))
    }
}

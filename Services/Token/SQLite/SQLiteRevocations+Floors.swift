import Foundation
import GRDB
import SQLiteStore
import TokenCore

/// The floors of changed rights.
extension SQLiteRevocations {
    private static let floorColumns = "sid, version, access_expires_at"

    func unpublishedFloors(limit: Int) async throws -> [VersionFloor] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(Self.floorColumns) FROM version_floors WHERE published = 0
                    ORDER BY access_expires_at LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [limit]).compactMap(Self.floor)
        }
    }

    func liveFloors(after: SessionID?, limit: Int, now: Int64) async throws -> [VersionFloor] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(Self.floorColumns) FROM version_floors WHERE sid > ? AND access_expires_at > ?
                    ORDER BY sid LIMIT ?
                    """)
            return try Row.fetchAll(
                statement, arguments: [Data(after?.bytes ?? []), now - Revocation.extraSeconds, limit]
            ).compactMap(Self.floor)
        }
    }

    func markPublished(_ floors: [VersionFloor]) async throws {
        guard !floors.isEmpty else { return }
        try await database.write { database in
            // A floor that has risen meanwhile still has to be published.
            let statement = try database.cachedStatement(
                sql: "UPDATE version_floors SET published = 1 WHERE sid = ? AND version = ?")
            for floor in floors { try statement.execute(arguments: [Data(floor.sessionID.bytes), floor.version]) }
        }
    }

    func unpublishedFloors(ofUser userID: String) async throws -> [VersionFloor] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(Self.floorColumns) FROM version_floors WHERE published = 0
                        AND sid IN (SELECT sid FROM sessions WHERE user_id = ?)
                    """)
            return try Row.fetchAll(statement, arguments: [userIDs.value(userID)]).compactMap(Self.floor)
        }
    }

    private static func floor(_ row: Row) -> VersionFloor? {
        guard let id = SessionID(bytes: Array(row[0] as Data)) else { return nil }
        return VersionFloor(sessionID: id, version: row[1], accessExpiresAt: row[2])
    }
}

internal import Foundation
internal import GRDB
internal import SQLiteStore

extension SQLiteSessionStore {
    private static let floorColumns = "sid, version, access_expires_at"

    func changeRights(
        ofUser userID: String, version: Int64, now: Int64,
        reseal: @escaping @Sendable (SessionRecord) throws -> [UInt8]?
    ) async throws -> [VersionFloor] {
        try await database.write { database in
            if try raiseVersion(of: userID, to: version, in: database) {
                for record in try liveRecords(ofUser: userID, except: nil, in: database) {
                    guard let sealed = try reseal(record) else { continue }
                    try store(sealed, version: version, on: record, in: database)
                }
                try AuditRecord(event: .rightsChanged, userID: userIDs.value(userID), detail: "version \(version)")
                    .insert(at: now, into: database)
            }
            return try unpublishedFloors(ofUser: userID, in: database)
        }
    }

    /// The highest version of the user's rights that has been told; 0 while there was no change.
    private func version(of userID: String, in database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT version FROM user_epochs WHERE user_id = ?")
        return try Int64.fetchOne(statement, arguments: [userIDs.value(userID)]) ?? 0
    }

    /// - Returns: false when that version, or a higher one, is known already.
    private func raiseVersion(of userID: String, to version: Int64, in database: Database) throws -> Bool {
        guard try self.version(of: userID, in: database) < version else { return false }
        try database.cachedStatement(
            sql: """
                INSERT INTO user_epochs (user_id, epoch, version) VALUES (?, 0, ?)
                ON CONFLICT (user_id) DO UPDATE SET version = excluded.version
                """
        ).execute(arguments: [userIDs.value(userID), version])
        return true
    }

    private func store(
        _ sealedClaims: [UInt8], version: Int64, on record: SessionRecord, in database: Database
    ) throws {
        try database.cachedStatement(sql: "UPDATE sessions SET claims = ? WHERE locator = ?")
            .execute(arguments: [Data(sealedClaims), record.locator])
        try database.cachedStatement(
            sql: """
                INSERT INTO version_floors (sid, version, access_expires_at, published) VALUES (?, ?, ?, 0)
                ON CONFLICT (sid) DO UPDATE SET version = excluded.version,
                    access_expires_at = max(access_expires_at, excluded.access_expires_at), published = 0
                """
        ).execute(arguments: [Data(record.id.bytes), version, record.accessExpiresAt])
    }
}

// MARK: - Publishing

extension SQLiteSessionStore {
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
                statement, arguments: [Data(after?.bytes ?? []), now - RevocationLimits.extraSeconds, limit]
            ).compactMap(Self.floor)
        }
    }

    func markPublished(_ floors: [VersionFloor]) async throws {
        guard !floors.isEmpty else { return }
        try await database.write { database in
            // A floor that has risen meanwhile is to be published still.
            let statement = try database.cachedStatement(
                sql: "UPDATE version_floors SET published = 1 WHERE sid = ? AND version = ?")
            for floor in floors { try statement.execute(arguments: [Data(floor.sessionID.bytes), floor.version]) }
        }
    }

    private func unpublishedFloors(ofUser userID: String, in database: Database) throws -> [VersionFloor] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Self.floorColumns) FROM version_floors WHERE published = 0
                    AND sid IN (SELECT sid FROM sessions WHERE user_id = ?)
                """)
        return try Row.fetchAll(statement, arguments: [userIDs.value(userID)]).compactMap(Self.floor)
    }

    private static func floor(_ row: Row) -> VersionFloor? {
        guard let id = SessionID(bytes: Array(row[0] as Data)) else { return nil }
        return VersionFloor(sessionID: id, version: row[1], accessExpiresAt: row[2])
    }
}

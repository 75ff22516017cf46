internal import Foundation
internal import GRDB
internal import SQLiteStore

extension SQLiteSessionStore {
    /// How long a spent grant's id is remembered beyond its expiry: another grant of the same attestation has the same id.
    private static let spentGrantExtraSeconds: Int64 = 3_600

    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningResult {
        try await database.write { database in
            guard try raiseEpoch(of: opening.userID, to: opening.epoch, in: database),
                try version(of: opening.userID, in: database) <= opening.version
            else { return .epochStale }
            if let locator = try session(ofGrant: opening.grantID, in: database) {
                return try repeated(opening, locator: locator, in: database)
            }
            let locator = try insert(opening, into: database)
            let token = opening.firstToken(locator)
            try database.cachedStatement(sql: "UPDATE sessions SET current_hash = ? WHERE locator = ?")
                .execute(arguments: [Data(token.hash), locator])
            try spend(opening, for: locator, in: database)
            try AuditRecord(
                event: .opened, userID: userIDs.value(opening.userID), session: opening.id, detail: opening.method
            ).insert(at: now, into: database)
            guard let record = try record(at: locator, in: database) else {
                throw SQLiteError(.corrupt, "a new session cannot be read")
            }
            return .opened(record, token)
        }
    }

    private func repeated(
        _ opening: SessionOpening, locator: Int64, in database: Database
    ) throws -> OpeningResult {
        guard let record = try record(at: locator, in: database), let token = opening.repeatedToken(record) else {
            return .spent
        }
        try lengthenAccess(of: locator, to: opening.accessExpiresAt, in: database)
        return .repeated(record, token)
    }

    /// Keeps the highest epoch seen.
    /// - Returns: false for a lower one.
    private func raiseEpoch(of userID: String, to epoch: Int64, in database: Database) throws -> Bool {
        let user = userIDs.value(userID)
        // Users whose epoch was never raised have no row: most have none, and their rows would be a third of the file.
        // Nobody's is below the file's: a grant from before a restore is refused.
        let read = try database.cachedStatement(
            sql: "SELECT max(\(Epoch.subquery), coalesce((SELECT epoch FROM user_epochs WHERE user_id = ?), 0))")
        let highest = try Int64.fetchOne(read, arguments: [user]) ?? 0
        guard epoch >= highest else { return false }
        if epoch > highest { try setEpoch(of: userID, to: epoch, in: database) }
        return true
    }

    /// Writes the user's highest epoch.
    func setEpoch(of userID: String, to epoch: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO user_epochs (user_id, epoch) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET epoch = max(epoch, excluded.epoch)
                """
        ).execute(arguments: [userIDs.value(userID), epoch])
    }

    private func session(ofGrant id: String, in database: Database) throws -> Int64? {
        let statement = try database.cachedStatement(sql: "SELECT session FROM spent_grants WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [id])
    }

    private func spend(_ opening: SessionOpening, for locator: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO spent_grants (id, session, expires_at) VALUES (?, ?, ?)")
            .execute(arguments: [opening.grantID, locator, opening.grantExpiresAt + Self.spentGrantExtraSeconds])
    }

    /// Inserts the row with zeros for the hashes: they take the room that rotations will need.
    private func insert(_ opening: SessionOpening, into database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO sessions (sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation, salt,
                    created_at, last_used_at, idle_expires_at, absolute_expires_at, access_expires_at, device, network, claims)
                VALUES (?1, ?2, ?3, ?4, ?5, zeroblob(32), zeroblob(32), 0, zeroblob(16), ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
                """)
        try statement.execute(arguments: [
            Data(opening.id.bytes), userIDs.value(opening.userID), opening.epoch, opening.dialect, opening.method,
            opening.createdAt, opening.idleExpiresAt, opening.absoluteExpiresAt, opening.accessExpiresAt,
            opening.device,
            opening.network, Data(opening.sealedClaims),
        ])
        return database.lastInsertedRowID
    }

    /// Notes that an access token of the session lives until `accessExpiresAt`.
    func lengthenAccess(of locator: Int64, to accessExpiresAt: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE sessions SET access_expires_at = max(access_expires_at, ?) WHERE locator = ?"
        ).execute(arguments: [accessExpiresAt, locator])
    }
}

internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

extension SQLiteSessionStore {
    func end(_ target: SessionTarget, reason: RevocationReason, now: Int64) async throws -> Revocation? {
        try await database.write { database in
            guard let record = try record(target, in: database) else { return nil }
            if record.revokedFor == nil { try revoke(record, reason: reason, now: now, in: database) }
            return try unpublished(of: record.id, in: database)
        }
    }

    func endAll(
        ofUser userID: String, below epoch: Int64, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        try await database.write { database in
            try setEpoch(of: userIDs.value(userID), to: epoch, in: database)
            for record in try records(ofUser: userID, below: epoch, in: database) {
                try revoke(record, reason: reason, now: now, in: database)
            }
            try AuditRecord(event: .userRevoked, userID: userIDs.value(userID), detail: reason.rawValue)
                .insert(at: now, into: database)
            return try unpublished(ofUser: userID, in: database)
        }
    }

    func endAll(
        by target: SessionTarget, sparesOwn: Bool, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]? {
        try await database.write { database in
            guard let own = try record(target, in: database), target.isNewest(of: own) else { return nil }
            if let ended = own.revokedFor {
                // A repeat, whose own session this act ended, waits for what the first time could not publish.
                return ended == reason && !sparesOwn ? try unpublished(ofUser: own.userID, in: database) : nil
            }
            guard now < own.refreshExpiresAt else { return nil }
            for record in try liveRecords(ofUser: own.userID, except: sparesOwn ? own.id : nil, in: database) {
                try revoke(record, reason: reason, now: now, in: database)
            }
            return try unpublished(ofUser: own.userID, in: database)
        }
    }

    /// Marks the session and leaves the revocation for Redis, in the transaction that is open.
    func revoke(_ record: SessionRecord, reason: RevocationReason, now: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE sessions SET is_revoked = 1, reason = ? WHERE locator = ?")
            .execute(arguments: [reason.code, record.locator])
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO revocations (sid, reason, access_expires_at, published) VALUES (?, ?, ?, 0)"
        ).execute(arguments: [Data(record.id.bytes), reason.code, record.accessExpiresAt])
        try audit(.revoked, record, detail: reason.rawValue, now: now, in: database)
    }

    private func record(_ target: SessionTarget, in database: Database) throws -> SessionRecord? {
        switch target {
        case .session(let id): return try record(named: id, in: database)
        case .token(let token):
            guard let record = try record(at: token.locator, in: database), token.isOf(record) else { return nil }
            return record
        }
    }

    private func records(ofUser userID: String, below epoch: Int64, in database: Database) throws -> [SessionRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = ? AND epoch < ? AND is_revoked = 0")
        return try statement.all([userIDs.value(userID), epoch]) { SessionRecord($0, userIDs: userIDs) }
    }
}

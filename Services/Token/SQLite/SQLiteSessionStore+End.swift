import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import Storage
import TokenCore

extension SQLiteSessionStore {
    func end(_ id: SessionID, reason: RevocationReason, now: Int64) async throws -> Revocation? {
        let name = OperatorName.current
        return try await database.write { database in
            guard let record = try record(named: id, in: database) else { return nil }
            if record.revokedFor == nil { try revoke(record, reason: reason, by: name, now: now, in: database) }
            return try revocations.unpublished(of: id, in: database)
        }
    }

    func endAll(
        ofUser userID: String, below epoch: Int64, sparing spared: SparedSessions, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        try await database.write { database in
            try setEpoch(of: userIDs.value(userID), to: epoch, in: database)
            try raiseEpoch(of: spared, ofUser: userID, to: epoch, in: database)
            for record in try records(ofUser: userID, below: epoch, in: database) {
                try revoke(record, reason: reason, now: now, in: database)
            }
            try AuditRecord(event: .userRevoked, userID: userIDs.value(userID), detail: reason.rawValue)
                .insert(at: now, into: database)
            return try revocations.unpublished(ofUser: userID, in: database)
        }
    }

    func endAll(
        ofUser userID: String, except id: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        let name = OperatorName.current
        return try await database.write { database in
            for record in try liveRecords(ofUser: userID, except: id, in: database) {
                try revoke(record, reason: reason, by: name, now: now, in: database)
            }
            return try revocations.unpublished(ofUser: userID, in: database)
        }
    }

    func endAll(
        by seen: SessionRecord, sparesOwn: Bool, reason: RevocationReason, now: Int64
    ) async throws -> Applied {
        try await database.write { database in
            guard let own = try record(at: seen.locator, in: database), own.isUnchanged(since: seen) else {
                return .stale
            }
            for record in try liveRecords(ofUser: own.userID, except: sparesOwn ? own.id : nil, in: database) {
                try revoke(record, reason: reason, now: now, in: database)
            }
            return .applied
        }
    }

    /// Marks the session as revoked and stores the revocation for Redis, in the open transaction.
    func revoke(
        _ record: SessionRecord, reason: RevocationReason, by name: OperatorName? = nil, now: Int64,
        in database: Database
    ) throws {
        try database.cachedStatement(sql: "UPDATE sessions SET is_revoked = 1, reason = ? WHERE locator = ?")
            .execute(arguments: [reason.code, record.locator])
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO revocations (sid, reason, access_expires_at, published) VALUES (?, ?, ?, 0)"
        ).execute(arguments: [Data(record.id.bytes), reason.code, record.accessExpiresAt])
        try audit(.revoked, record, detail: reason.rawValue, by: name, now: now, in: database)
    }

    /// Raises the epoch of a user's live sessions.
    private func raiseEpoch(
        of spared: SparedSessions, ofUser userID: String, to epoch: Int64, in database: Database
    ) throws {
        switch spared {
        case .nothing: return
        case .one(let id):
            try database.cachedStatement(
                sql: "UPDATE sessions SET epoch = ?1 WHERE sid = ?2 AND user_id = ?3 AND epoch < ?1 AND is_revoked = 0"
            ).execute(arguments: [epoch, Data(id.bytes), userIDs.value(userID)])
        case .otherMethods(let method):
            try database.cachedStatement(
                sql: """
                    UPDATE sessions SET epoch = ?1
                    WHERE user_id = ?2 AND epoch = ?1 - 1 AND is_revoked = 0 AND method <> ?3
                    """
            ).execute(arguments: [epoch, userIDs.value(userID), method])
        }
    }

    private func records(ofUser userID: String, below epoch: Int64, in database: Database) throws -> [SessionRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = ? AND epoch < ? AND is_revoked = 0")
        return try statement.all([userIDs.value(userID), epoch]) { SessionRecord($0, userIDs: userIDs) }
    }

    /// Returns a user's sessions that are not revoked, except for one.
    func liveRecords(ofUser userID: String, except id: SessionID?, in database: Database) throws -> [SessionRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = ? AND is_revoked = 0 AND sid <> ?")
        return try statement.all([userIDs.value(userID), Data(id?.bytes ?? [])]) {
            SessionRecord($0, userIDs: userIDs)
        }
    }
}

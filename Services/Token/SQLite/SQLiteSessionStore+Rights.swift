import Foundation
import GRDB
import SQLiteStore
import Storage
import TokenCore

extension SQLiteSessionStore {
    func rights(ofUser userID: String) async throws -> UserRights {
        try await database.read { try rights(ofUser: userID, in: $0) }
    }

    func apply(_ change: RightsChange, on rights: UserRights, now: Int64) async throws -> Applied {
        try await database.write { database in
            let present = try self.rights(ofUser: change.userID, in: database)
            guard present.version == rights.version, Self.haveSameClaims(present.sessions, rights.sessions) else {
                return .stale
            }
            let user = userIDs.value(change.userID)
            try setVersion(of: user, to: change.version, in: database)
            for record in present.sessions {
                guard let sealed = change.sealedClaims[record.id] else { continue }
                try store(sealed, version: change.version, on: record, in: database)
            }
            try AuditRecord(event: .rightsChanged, userID: user, detail: "version \(change.version)")
                .insert(at: now, into: database)
            return .applied
        }
    }

    private func rights(ofUser userID: String, in database: Database) throws -> UserRights {
        UserRights(
            version: try epochAndVersion(of: userIDs.value(userID), in: database).version,
            sessions: try liveRecords(ofUser: userID, except: nil, in: database))
    }

    /// Whether these are the same sessions with the same claims. They may have been refreshed meanwhile.
    private static func haveSameClaims(_ present: [SessionRecord], _ seen: [SessionRecord]) -> Bool {
        present.map(\.id) == seen.map(\.id) && present.map(\.sealedClaims) == seen.map(\.sealedClaims)
    }

    private func setVersion(of user: DatabaseValue, to version: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO user_epochs (user_id, epoch, version) VALUES (?, 0, ?)
                ON CONFLICT (user_id) DO UPDATE SET version = excluded.version
                """
        ).execute(arguments: [user, version])
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

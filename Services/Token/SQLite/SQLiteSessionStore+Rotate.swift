import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import Storage
import TokenCore

extension SQLiteSessionStore {
    func apply(_ change: SessionChange, to seen: SessionRecord, now: Int64) async throws -> Applied {
        try await database.write { database in
            if case .rotate(let next) = change {
                return try rotate(seen, to: next, now: now, in: database) ? .applied : .stale
            }
            guard let record = try record(at: seen.locator, in: database), record.isUnchanged(since: seen) else {
                return .stale
            }
            try carryOut(change, on: record, now: now, in: database)
            return .applied
        }
    }

    /// Writes a rotation as one conditional statement, with its audit record.
    ///
    /// It matches only if hash, claims and `is_revoked` are unchanged since the record was read. `access_expires_at` may differ;
    /// the later value wins.
    ///
    /// - Returns: `false` if the row has changed or is gone, in which case nothing is written.
    private func rotate(
        _ seen: SessionRecord, to next: NextToken, now: Int64, in database: Database
    ) throws -> Bool {
        guard seen.revokedFor == nil else { return false }
        let statement = try database.cachedStatement(
            sql: """
                UPDATE sessions SET previous_hash = current_hash, current_hash = ?, generation = ?, salt = ?,
                    last_used_at = ?, idle_expires_at = ?, access_expires_at = max(access_expires_at, ?)
                WHERE locator = ? AND current_hash = ? AND claims = ? AND is_revoked = 0
                """)
        try statement.execute(arguments: [
            Data(next.hash), next.generation, Data(next.salt), now, next.idleExpiresAt, next.accessExpiresAt,
            seen.locator, Data(seen.currentHash), Data(seen.sealedClaims),
        ])
        guard database.changesCount == 1 else { return false }
        if let marks = next.marks, marks != seen.marks { try write(marks, of: seen.locator, in: database) }
        if auditsRefreshes { try audit(.rotated, seen, detail: nil, now: now, in: database) }
        return true
    }

    private func carryOut(
        _ change: SessionChange, on record: SessionRecord, now: Int64, in database: Database
    ) throws {
        switch change {
        case .rotate(let next): _ = try rotate(record, to: next, now: now, in: database)
        case .answerAgain(let accessExpiresAt, let late, let marks):
            try lengthenAccess(of: record.locator, to: accessExpiresAt, in: database)
            if let marks { try write(marks, of: record.locator, in: database) }
            if let late { try count(late, on: record, now: now, in: database) }
        case .reused(let ends):
            try audit(.reused, record, detail: nil, now: now, in: database)
            if ends { try revoke(record, reason: .reuse, now: now, in: database) }
        case .lateCopy: try audit(.reused, record, detail: "late copy", now: now, in: database)
        case .impossible: try audit(.impossible, record, detail: nil, now: now, in: database)
        }
    }

    private func write(_ marks: RotationMarks, of locator: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE sessions SET mark_generation = ?, marked_at = ?, older_mark_generation = ?, older_marked_at = ?
                WHERE locator = ?
                """
        ).execute(arguments: [marks.newer.generation, marks.newer.at, marks.older.generation, marks.older.at, locator])
    }

    /// Notes that an access token of the session is valid until `accessExpiresAt`.
    private func lengthenAccess(of locator: Int64, to accessExpiresAt: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE sessions SET access_expires_at = max(access_expires_at, ?) WHERE locator = ?"
        ).execute(arguments: [accessExpiresAt, locator])
    }

    /// Stores a run of late repeats with its audit record, which states the length of a remarkable one.
    private func count(_ late: LateRepeats, on record: SessionRecord, now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE sessions SET late_repeats = ?, late_generation = ? WHERE locator = ?"
        ).execute(arguments: [late.count, late.generation, record.locator])
        let detail = late.count >= LateRepeats.remarkable ? "\(late.count) in a row" : nil
        try audit(.repeatedLate, record, detail: detail, now: now, in: database)
    }

    /// Writes an audit record about a session.
    func audit(
        _ event: AuditEvent, _ record: SessionRecord, detail: String?, by name: OperatorName? = nil, now: Int64,
        in database: Database
    ) throws {
        try AuditRecord(
            event: event, userID: userIDs.value(record.userID), session: record.id, detail: detail,
            operatorName: name
        ).insert(at: now, into: database)
    }
}

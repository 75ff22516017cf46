internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

extension SQLiteSessionStore {
    func rotate(
        _ seen: SessionRecord, now: Int64, judge: @escaping @Sendable (SessionRecord?) -> RotationVerdict
    ) async throws -> (RotationVerdict, SessionRecord?) {
        try await database.write { database in
            let verdict = judge(seen)
            if case .rotate(let rotation) = verdict.decision,
                try store(rotation, verdict.accessExpiresAt, on: seen, now: now, in: database)
            {
                return (verdict, seen.after(verdict, now: now))
            }
            return try rotate(at: seen.locator, now: now, judge: judge, in: database)
        }
    }

    /// The same by the row as it is.
    private func rotate(
        at locator: Int64, now: Int64, judge: (SessionRecord?) -> RotationVerdict, in database: Database
    ) throws -> (RotationVerdict, SessionRecord?) {
        let record = try record(at: locator, in: database)
        let verdict = judge(record)
        guard let record else { return (verdict, nil) }
        try carryOut(verdict, on: record, now: now, in: database)
        return (verdict, record.after(verdict, now: now))
    }

    private func carryOut(
        _ verdict: RotationVerdict, on record: SessionRecord, now: Int64, in database: Database
    ) throws {
        switch verdict.decision {
        case .rotate(let rotation):
            guard try store(rotation, verdict.accessExpiresAt, on: record, now: now, in: database) else {
                throw SQLiteError(.other, "the session changed under its rotation")
            }
        case .repeatAnswer(_, let isLate):
            try lengthenAccess(of: record.locator, to: verdict.accessExpiresAt, in: database)
            if isLate { try audit(.repeatedLate, record, detail: nil, now: now, in: database) }
        case .reuse(let revokes):
            try audit(.reused, record, detail: nil, now: now, in: database)
            if revokes { try revoke(record, reason: .reuse, now: now, in: database) }
        case .lateCopy:
            try audit(.reused, record, detail: "late copy", now: now, in: database)
        case .impossible:
            try audit(.impossible, record, detail: nil, now: now, in: database)
        case .spentKey, .refuse:
            break
        }
    }

    /// Writes the rotation as one conditional statement, with its audit record.
    ///
    /// It matches only if hash, claims and `is_revoked` are unchanged since the record was read. `access_expires_at` may
    /// differ; the later value wins.
    ///
    /// - Returns: false when the row is another by now, or gone; nothing is written then.
    private func store(
        _ rotation: Rotation, _ accessExpiresAt: Int64, on record: SessionRecord, now: Int64, in database: Database
    ) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE sessions SET previous_hash = current_hash, current_hash = ?, generation = ?, salt = ?,
                    last_used_at = ?, idle_expires_at = ?, access_expires_at = max(access_expires_at, ?)
                WHERE locator = ? AND current_hash = ? AND claims = ? AND is_revoked = 0
                """)
        try statement.execute(arguments: [
            Data(rotation.successor.hash), rotation.successor.generation, Data(rotation.salt), now,
            rotation.idleExpiresAt, accessExpiresAt, record.locator, Data(record.currentHash),
            Data(record.sealedClaims),
        ])
        guard database.changesCount == 1 else { return false }
        if auditsRefreshes { try audit(.rotated, record, detail: nil, now: now, in: database) }
        return true
    }

    /// Writes an audit record on a session.
    func audit(
        _ event: AuditRecord.Event, _ record: SessionRecord, detail: String?, now: Int64, in database: Database
    ) throws {
        try AuditRecord(
            event: event, userID: userIDs.value(record.userID), session: record.id, detail: detail
        ).insert(at: now, into: database)
    }
}

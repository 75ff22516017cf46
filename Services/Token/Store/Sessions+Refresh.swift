import InternalAPI
import Storage
import TokenCore

extension Sessions {
    func apply(_ change: SessionChange, to seen: SessionRecord, now: Int64) async throws -> Applied {
        switch change {
        case .rotate(let next):
            try await write(seen, next, accessExpiresAt: next.accessExpiresAt, next.marks, now: now)
        case .answerAgain(let accessExpiresAt, late: nil, let marks):
            try await write(seen, nil, accessExpiresAt: accessExpiresAt, marks, now: now)
        case .answerAgain(let accessExpiresAt, .some(let late), let marks):
            try await inTransaction(seen) { record, transaction in
                try count(
                    late, accessExpiresAt: accessExpiresAt, marks ?? record.marks, on: record, now: now, in: transaction
                )
            }
        case .reused(let ends):
            try await inTransaction(seen, locksUser: ends && writesEvents) { record, transaction in
                try audit(.reused, record, detail: nil, now: now, in: transaction)
                if ends { try revoke(record, reason: .reuse, now: now, in: transaction) }
            }
        case .lateCopy:
            try await inTransaction(seen) { try audit(.reused, $0, detail: "late copy", now: now, in: $1) }
        case .impossible:
            try await inTransaction(seen) { try audit(.impossible, $0, detail: nil, now: now, in: $1) }
        }
    }

    /// Writes a rotation or a repeat, on a server together with those that arrive at the same time.
    private func write(
        _ seen: SessionRecord, _ next: NextToken?, accessExpiresAt: Int64, _ marks: RotationMarks?, now: Int64
    ) async throws -> Applied {
        guard seen.revokedFor == nil else { return .stale }
        let write = RefreshWrite(
            seen: seen, next: next, accessExpiresAt: accessExpiresAt, marks: marks ?? seen.marks, now: now)
        let isWritten =
            if let groups { try await groups.refreshes.run(write, key: seen.locator) } else {
                try await database.write { try write.run(audits: auditsRefreshes, userIDs, in: $0) }
            }
        return isWritten ? .applied : .stale
    }

    /// Makes a rare change in a transaction of its own, if the session is as it was seen.
    private func inTransaction(
        _ seen: SessionRecord, locksUser: Bool = false,
        _ body: @escaping @Sendable (SessionRecord, any Transaction) throws -> Void
    ) async throws -> Applied {
        try await database.write { transaction in
            if locksUser { transaction.lock(lock(seen.userID)) }
            let record = try lockedRecords("locator = $1", seen.locator, in: transaction).first
            guard let record, record.isUnchanged(since: seen) else { return .stale }
            try body(record, transaction)
            return .applied
        }
    }

    /// Stores a run of late repeats with its audit record, which states the length of a remarkable one.
    private func count(
        _ late: LateRepeats, accessExpiresAt: Int64, _ marks: RotationMarks, on record: SessionRecord, now: Int64,
        in transaction: any Transaction
    ) throws {
        try transaction.run(
            """
            UPDATE sessions SET access_expires_at = greatest(access_expires_at, $2), late_repeats = $3, late_generation = $4,
                mark_generation = $5, marked_at = $6, older_mark_generation = $7, older_marked_at = $8
            WHERE locator = $1
            """, record.locator, accessExpiresAt, late.count, late.generation, marks.newer.generation, marks.newer.at,
            marks.older.generation, marks.older.at)
        let detail = late.count >= LateRepeats.remarkable ? "\(late.count) in a row" : nil
        try audit(.repeatedLate, record, detail: detail, now: now, in: transaction)
    }

    /// Writes an audit record about a session.
    func audit(
        _ event: AuditEvent, _ record: SessionRecord, detail: String?, by name: OperatorName? = nil, now: Int64,
        in transaction: any Transaction
    ) throws {
        try AuditRecord(
            event: event, userID: record.userID, session: record.id, detail: detail, operatorName: name
        ).insert(at: now, userIDs, into: transaction)
    }
}

import InternalAPI
import Storage
import TokenCore

extension Sessions {
    func noteAuthentication(
        of id: SessionID, _ statement: Reauthentication, at time: Int64, now: Int64
    ) async throws -> NotedAuthentication {
        try await database.write { transaction in
            guard let record = try lockedRecords("sid = $1", id.bytes, in: transaction).first,
                record.revokedFor == nil
            else { return .noSession }
            // A change of rights locks the row before it raises the version, so this sees each one that has lowered the session.
            let version = try transaction.rows(Self.versionOfUser, userIDs.value(record.userID)).first?.integer(0) ?? 0
            guard statement.version ?? .max >= version else { return .stale }
            guard try isNew(statement, in: record, transaction) else { return .unchanged }
            let after = record.after(statement, at: time, now: now)
            guard after != record else { return .unchanged }
            try transaction.run(
                "UPDATE sessions SET authenticated_at = $2, factors = $3 WHERE locator = $1", record.locator,
                after.authenticatedAt, after.storedFactors)
            let isRaised = after.factors.areMultiple && !record.factors.areMultiple
            try audit(
                isRaised ? .steppedUp : .reauthenticated, record, detail: statement.method, now: now, in: transaction)
            return .noted
        }
    }

    /// Whether the statement's challenge was not used before. It is used now.
    private func isNew(
        _ statement: Reauthentication, in record: SessionRecord, _ transaction: any Transaction
    ) throws -> Bool {
        guard let challenge = statement.id else { return true }
        let mark = "reauthentication:" + challenge
        guard try transaction.rows("SELECT 1 FROM used_grants WHERE id = $1", mark).isEmpty else { return false }
        try spend(mark, in: record, until: statement.expiresAt, transaction)
        return true
    }
}

extension SessionRecord {
    /// Returns the record after its user showed at `time` what a statement says. Nothing that was shown before is lost.
    ///
    /// - Parameter now: Unix time in seconds. A later time of authentication is a wrong clock's, and is replaced.
    func after(_ statement: Reauthentication, at time: Int64, now: Int64) -> SessionRecord {
        let shown = statement.factors ?? []
        var record = self
        record.factors.formUnion(shown)
        if time > authenticatedAt || authenticatedAt > now {
            (record.authenticatedAt, record.latestFactors) = (time, shown)
        } else if time == authenticatedAt {
            record.latestFactors.formUnion(shown)
        }
        return record
    }
}

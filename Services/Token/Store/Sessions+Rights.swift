import InternalAPI
import Storage
import TokenCore

extension Sessions {
    func rights(ofUser userID: String) async throws -> UserRights {
        try await database.read { reading in
            let user = userIDs.value(userID)
            let version = try reading.rows(Self.versionOfUser, user).first?.integer(0) ?? 0
            let rows = try reading.rows(
                "SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = $1 AND is_revoked = false ORDER BY locator",
                user)
            return UserRights(version: version, sessions: rows.compactMap { SessionRecord($0, userIDs: userIDs) })
        }
    }

    func durableFloor(of id: SessionID) async throws -> Int64 {
        try await database.readDurably {
            try $0.rows("SELECT version FROM version_floors WHERE sid = $1", id.bytes).first?.integer(0) ?? 0
        }
    }

    func apply(_ change: RightsChange, on rights: UserRights, now: Int64) async throws -> Applied {
        try await database.write { transaction in
            let user = userIDs.value(change.userID)
            transaction.lock(lock(change.userID))
            let version = try transaction.rows(Self.versionOfUser, user).first?.integer(0) ?? 0
            let sessions = try liveRecords(ofUser: change.userID, in: transaction)
            guard version == rights.version, Self.haveSameClaims(sessions, rights.sessions) else { return .stale }
            try transaction.run(
                """
                INSERT INTO user_epochs (user_id, epoch, version) VALUES ($1, 0, $2)
                ON CONFLICT (user_id) DO UPDATE SET version = greatest(user_epochs.version, excluded.version)
                """, user, change.version)
            for record in sessions {
                if let sealed = change.sealedClaims[record.id] {
                    try transaction.run("UPDATE sessions SET claims = $2 WHERE locator = $1", record.locator, sealed)
                }
                if change.lowersFactors { try lower(record, in: transaction) }
                if !change.keepsTokens { try refuseTokens(below: change.version, of: record, in: transaction) }
            }
            guard change.version > version else { return .applied }
            try AuditRecord(event: .rightsChanged, userID: change.userID, detail: "version \(change.version)")
                .insert(at: now, userIDs, into: transaction)
            return .applied
        }
    }

    static let versionOfUser: SQL = "SELECT version FROM user_epochs WHERE user_id = $1"

    /// Whether these are the same sessions with the same claims. They may have been refreshed meanwhile.
    private static func haveSameClaims(_ present: [SessionRecord], _ seen: [SessionRecord]) -> Bool {
        present.map(\.id) == seen.map(\.id) && present.map(\.sealedClaims) == seen.map(\.sealedClaims)
    }

    /// Takes all factors from a session but those with which it began.
    private func lower(_ record: SessionRecord, in transaction: any Transaction) throws {
        var lowered = record
        lowered.factors = record.factors.lowered(toMethod: record.method)
        lowered.latestFactors = record.latestFactors.intersection(lowered.factors)
        try transaction.run(
            "UPDATE sessions SET factors = $2 WHERE locator = $1", record.locator, lowered.storedFactors)
    }

    private func refuseTokens(
        below version: Int64, of record: SessionRecord, in transaction: any Transaction
    ) throws {
        try transaction.run(
            """
            INSERT INTO version_floors (sid, version, access_expires_at, published) VALUES ($1, $2, $3, false)
            ON CONFLICT (sid) DO UPDATE SET version = greatest(version_floors.version, excluded.version),
                published = version_floors.published AND version_floors.version >= excluded.version,
                access_expires_at = greatest(version_floors.access_expires_at, excluded.access_expires_at)
            """, record.id.bytes, version, record.accessExpiresAt)
    }
}

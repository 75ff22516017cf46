import InternalAPI
import Storage
import TokenCore
import UserEvents

extension Sessions {
    private static let owner: SQL = "SELECT user_id FROM sessions WHERE sid = $1"

    func end(_ id: SessionID, reason: RevocationReason, now: Int64) async throws -> Revocation? {
        let name = OperatorName.current
        return try await database.write { transaction in
            // Events of one user are written one after the other.
            if writesEvents { transaction.lock(.user, namedBy: Statement(Self.owner, id.bytes)) }
            guard let record = try lockedRecords("sid = $1", id.bytes, in: transaction).first else { return nil }
            guard record.revokedFor == nil else { return try Revocations.unpublished(of: id, in: transaction) }
            try revoke(record, reason: reason, by: name, now: now, in: transaction)
            return record.revocation(for: reason)
        }
    }

    func endAll(
        ofUser userID: String, below epoch: Int64, sparing spared: SparedSessions, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        try await database.write { transaction in
            let user = userIDs.value(userID)
            transaction.lock(lock(userID))
            try setEpoch(of: userID, to: epoch, in: transaction)
            let records = try lockedRecords(
                "user_id = $1 AND epoch < $2 AND is_revoked = false", user, epoch, in: transaction)
            for record in records {
                guard !spared.includes(record, belowEpoch: epoch) else {
                    try transaction.run("UPDATE sessions SET epoch = $2 WHERE locator = $1", record.locator, epoch)
                    continue
                }
                try revoke(record, reason: reason, now: now, in: transaction)
            }
            try AuditRecord(event: .userRevoked, userID: userID, detail: reason.rawValue)
                .insert(at: now, userIDs, into: transaction)
            return try Revocations.unpublished(ofUser: user, in: transaction)
        }
    }

    func endAll(
        ofUser userID: String, except id: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        let name = OperatorName.current
        return try await database.write { transaction in
            transaction.lock(lock(userID))
            for record in try liveRecords(ofUser: userID, in: transaction) where record.id != id {
                try revoke(record, reason: reason, by: name, now: now, in: transaction)
            }
            return try Revocations.unpublished(ofUser: userIDs.value(userID), in: transaction)
        }
    }

    func endAll(
        by seen: SessionRecord, sparesOwn: Bool, reason: RevocationReason, now: Int64
    ) async throws -> Applied {
        try await database.write { transaction in
            transaction.lock(lock(seen.userID))
            let records = try liveRecords(ofUser: seen.userID, in: transaction)
            guard let own = records.first(where: { $0.locator == seen.locator }), own.isUnchanged(since: seen) else {
                return .stale
            }
            for record in records where !sparesOwn || record.id != own.id {
                try revoke(record, reason: reason, now: now, in: transaction)
            }
            return .applied
        }
    }

    private static let hasActed: SQL = "SELECT 1 FROM sessions WHERE actor = $1 LIMIT 1"
    private static let actedFor: SQL = "SELECT user_id FROM sessions WHERE actor = $1 AND is_revoked = false"

    func endActing(by actorID: String, now: Int64) async throws -> [Revocation] {
        let (actor, name) = (userIDs.value(actorID), OperatorName.current)
        // Hardly any user acts as others, and all others need no second transaction: what the caller has written before is durable, and
        // keeps later openings out.
        guard try await database.readDurably({ try !$0.rows(Self.hasActed, actor).isEmpty }) else { return [] }
        return try await database.write { transaction in
            if writesEvents { transaction.lock(.user, namedBy: Statement(Self.actedFor, actor)) }
            for record in try lockedRecords("actor = $1 AND is_revoked = false", actor, in: transaction) {
                try revoke(record, reason: .admin, by: name, now: now, in: transaction)
            }
            return try Revocations.unpublished(byActor: actor, in: transaction)
        }
    }

    /// Marks a live session as revoked, and stores the revocation for Redis and the event, in a transaction that has the user's lock if
    /// events are written.
    func revoke(
        _ record: SessionRecord, reason: RevocationReason, by name: OperatorName? = nil, now: Int64,
        in transaction: any Transaction
    ) throws {
        try transaction.run(
            "UPDATE sessions SET is_revoked = true, reason = $2 WHERE locator = $1", record.locator, reason.code)
        try transaction.run(
            """
            INSERT INTO revocations (sid, reason, access_expires_at, published) VALUES ($1, $2, $3, false)
            ON CONFLICT (sid) DO NOTHING
            """, record.id.bytes, reason.code, record.accessExpiresAt)
        try audit(.revoked, record, detail: reason.rawValue, by: name, now: now, in: transaction)
        guard writesEvents else { return }
        let event = UserEvent(
            .sessionRevoked, of: userIDs.value(record.userID), subject: record.id.bytes, reason: reason.rawValue)
        try EventRows.insert([event], now: now, in: transaction)
    }

    /// Locks and returns a user's sessions that are not revoked.
    func liveRecords(ofUser userID: String, in transaction: any Transaction) throws -> [SessionRecord] {
        try lockedRecords("user_id = $1 AND is_revoked = false", userIDs.value(userID), in: transaction)
    }
}

extension SparedSessions {
    /// Whether the session, which is below an epoch, stays and becomes one of that epoch.
    fileprivate func includes(_ record: SessionRecord, belowEpoch epoch: Int64) -> Bool {
        switch self {
        case .nothing: false
        case .one(let id): record.id == id
        case .otherMethods(let method): record.epoch + 1 == epoch && record.method != method
        }
    }
}

extension SessionRecord {
    /// Returns the revocation of the session, which was live.
    func revocation(for reason: RevocationReason) -> Revocation {
        Revocation(sessionID: id, reason: reason, accessExpiresAt: accessExpiresAt)
    }
}

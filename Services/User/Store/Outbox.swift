import InternalAPI
import Storage
import UserCore

/// The outbox, shared with the replicas.
struct Outbox: OutboxStore {
    let database: any StorageDatabase

    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) async throws -> Bool {
        try await database.read {
            try !$0.rows(OutboxRows.hasDue, lane.rawValue, now, OutboxRows.latest(at: now)).isEmpty
        }
    }

    func takeDue(_ lane: OutboxMessage.Lane, limit: Int, lease: Lease, now: Int64) async throws -> [OutboxItem] {
        try await database.write { transaction in
            guard try lease.take(now: now, in: transaction) else { return [] }
            return try transaction.rows(OutboxRows.due(lane), lane.rawValue, now, OutboxRows.latest(at: now), limit)
                .map(OutboxRows.item)
        }
    }

    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) async throws -> [OutboxItem] {
        try await database.read { reading in
            try reading.rows(OutboxRows.pending, lane.rawValue, user.bytes, limit).map(OutboxRows.item)
        }
    }

    func confirm(_ item: OutboxItem) async throws {
        try await database.write { try $0.run("DELETE FROM outbox WHERE id = $1", item.id) }
        // The row contained data of a removed user.
        if item.message.kind.isAboutRemoved { database.wipeRemoved() }
    }

    func postpone(_ item: OutboxItem.ID, until: Int64?) async throws {
        try await database.write { transaction in
            try transaction.run(
                "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2 WHERE id = $1", item,
                until ?? OutboxRows.never)
        }
    }

    func bury(_ item: OutboxItem.ID, now: Int64) async throws {
        try await database.write { transaction in
            let row = try transaction.rows(
                "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2 WHERE id = $1 RETURNING user_id", item,
                OutboxRows.never
            ).first
            guard let row else { return }
            let entry = AuditEntry(
                event: .revocationFailed, subject: try Self.subject(row, in: transaction), detail: "outbox \(item)")
            try AuditRows.append(entry, now: now, in: transaction)
        }
    }

    func holder(of identity: VerifiedIdentity) async throws -> UserID? {
        try await database.read { reading in
            try reading.rows(
                "SELECT user_id FROM identities WHERE kind = $1 AND value = $2", identity.kind.rawValue, identity.value
            ).first?.userID(0)
        }
    }

    func keep(_ token: AppleToken, replacing item: OutboxItem.ID, now: Int64) async throws -> KeptToken {
        let (kept, isOfOther) = try await database.write { transaction in
            transaction.lock(Locks.of(token.identity), Locks.of(token.user))
            let removed = try transaction.rows("DELETE FROM outbox WHERE id = $1 RETURNING user_id", item).first
            let isOfOther = try removed.map { try $0.userID(0) != token.user } ?? false
            return (try AppleTokenRows.keep(token, now: now, in: transaction), isOfOther)
        }
        // The row contained data of a user who may be removed.
        if kept == .revoking || isOfOther { database.wipeRemoved() }
        return kept
    }

    func handOver(link hash: [UInt8], now: Int64) async throws -> Int64? {
        try await database.write { transaction in
            let rows = try transaction.results([Facts.link(hash, openAt: now)]).first
            guard let link = try rows?.first.flatMap({ try Facts.link(hash, $0) }) else { return nil }
            let expiresAt = link.expiry(handedOverAt: now)
            try transaction.run(
                "UPDATE account_links SET expires_at = least(expires_at, $2) WHERE hash = $1", hash, expiresAt)
            return expiresAt
        }
    }

    func noteTold(_ user: UserID, now: Int64) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                UPDATE pending_changes SET payload = $2, moves_at = moves_at + greatest(0, $3 - created_at)
                WHERE user_id = $1 AND kind = $4 AND payload = ''
                """, user.bytes, PendingChange.told, now, PendingChange.Kind.inactivity.rawValue)
        }
    }

    func standing(_ lane: OutboxMessage.Lane) async throws -> OutboxStanding {
        try await database.read { reading in
            let row = try reading.rows(
                """
                SELECT count(*) FILTER (WHERE next_attempt_at < $2), min(created_at) FILTER (WHERE next_attempt_at < $2),
                    count(*) FILTER (WHERE next_attempt_at = $2)
                FROM outbox WHERE lane = $1
                """, lane.rawValue, OutboxRows.never
            ).first
            return OutboxStanding(
                pending: row?.integer(0) ?? 0, oldestAt: row?.optionalInteger(1), dead: row?.integer(2) ?? 0)
        }
    }

    func listed(behind last: OutboxItem.ID?, limit: Int) async throws -> [OutboxListing] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT id, lane, kind, user_id, attempts, nullif(next_attempt_at, $3), created_at
                FROM outbox WHERE id > $1 ORDER BY id LIMIT $2
                """, last ?? 0, limit, OutboxRows.never
            ).map { row in
                OutboxListing(
                    id: row.integer(0), lane: row.text(1), kind: row.text(2), user: try row.userID(3),
                    attempts: row.integer(4), nextAttemptAt: row.optionalInteger(5), createdAt: row.integer(6))
            }
        }
    }

    func retry(_ item: OutboxItem.ID, origin: RequestOrigin, now: Int64) async throws -> Bool {
        try await database.write { transaction in
            // The row's age begins again; otherwise it would be dead again at once. That of a code stays, since it is the time of
            // the sign-in.
            let rows = try transaction.rows(
                """
                UPDATE outbox SET next_attempt_at = $1, created_at = CASE WHEN kind = $3 THEN created_at ELSE $1 END
                WHERE id = $2 RETURNING user_id, kind
                """, now, item, OutboxMessage.Kind.exchangeCode.rawValue)
            return try Self.note(.outboxRetried, rows.first, origin, now, in: transaction)
        }
    }

    func drop(
        _ item: OutboxItem.ID, in lane: OutboxMessage.Lane, origin: RequestOrigin, now: Int64
    ) async throws -> Bool {
        let isDropped = try await database.write { transaction in
            let rows = try transaction.rows(
                "DELETE FROM outbox WHERE id = $1 AND lane = $2 RETURNING user_id, kind", item, lane.rawValue)
            return try Self.note(.outboxDropped, rows.first, origin, now, in: transaction)
        }
        if isDropped { database.wipeRemoved() }
        return isDropped
    }

    /// Writes a change of a row to the audit.
    ///
    /// - Parameter row: the row's user and kind, or `nil` if there was no row.
    /// - Returns: whether there was a row.
    private static func note(
        _ event: AuditEntry.Event, _ row: Row?, _ origin: RequestOrigin, _ now: Int64, in transaction: any Transaction
    ) throws -> Bool {
        guard let row else { return false }
        let entry = AuditEntry(
            event: event, subject: try subject(row, in: transaction), origin: origin, detail: row.text(1))
        try AuditRows.append(entry, now: now, in: transaction)
        return true
    }

    /// Returns the pseudonym of a row's user, who may be removed already.
    private static func subject(_ row: Row, in transaction: any Transaction) throws -> Pseudonym {
        try transaction.rows(UserRows.byID, row.bytes(0)).first.flatMap(UserRows.user)?.pseudonym ?? .zero
    }
}

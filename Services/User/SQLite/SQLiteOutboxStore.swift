import GRDB
import InternalAPI
import SQLiteStore
import Storage
import UserCore

/// The outbox in `users.sqlite`.
struct SQLiteOutboxStore: OutboxStore {
    let database: SQLiteDatabase

    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) async throws -> Bool {
        try await database.read { try OutboxRows(database: $0).hasDue(lane, now: now) }
    }

    func takeDue(_ lane: OutboxMessage.Lane, limit: Int, lease: Lease, now: Int64) async throws -> [OutboxItem] {
        try await database.write { database in
            guard try lease.take(now: now, in: database) else { return [] }
            return try OutboxRows(database: database).due(lane, now: now, limit: limit)
        }
    }

    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) async throws -> [OutboxItem] {
        try await database.read { try OutboxRows(database: $0).pending(lane, about: user, limit: limit) }
    }

    func confirm(_ item: OutboxItem) async throws {
        try await database.write { database in
            try database.run("DELETE FROM outbox WHERE id = ?", [item.id])
        }
        // The row contained data of a removed user.
        if item.message.kind.isAboutRemoved { database.emptyLogSoon() }
    }

    func postpone(_ item: OutboxItem.ID, until: Int64?) async throws {
        try await database.write { database in
            try database.run(
                "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ?",
                [until ?? OutboxRows.never, item])
        }
    }

    func bury(_ item: OutboxItem.ID, now: Int64) async throws {
        try await database.write { database in
            let row = try database.row(
                "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ? RETURNING user_id",
                [OutboxRows.never, item])
            guard let row else { return }
            let entry = AuditEntry(
                event: .revocationFailed, subject: try Self.subject(row, in: database), detail: "outbox \(item)")
            try AuditRows(database: database).append(entry, now: now)
        }
    }

    func holder(of identity: ProvedIdentity) async throws -> UserID? {
        try await database.read { try IdentityRows(database: $0).holder(of: identity) }
    }

    func keep(_ token: AppleToken, replacing item: OutboxItem.ID, now: Int64) async throws -> KeptToken {
        let (kept, isOfOther) = try await database.write { database in
            let row = try database.row("DELETE FROM outbox WHERE id = ? RETURNING user_id", [item])
            let user: UserID? = try row?.decode(forColumn: "user_id")
            let kept = try AppleTokenRows(database: database).keep(token, now: now)
            return (kept, user.map { $0 != token.user } ?? false)
        }
        // The row contained data of a user who may be removed.
        if kept == .revoking || isOfOther { database.emptyLogSoon() }
        return kept
    }

    func handOver(link hash: [UInt8], now: Int64) async throws -> Int64? {
        try await database.write { database in
            let rows = AccountRows(database: database)
            guard let link = try rows.link(hash, openAt: now) else { return nil }
            let expiresAt = link.expiry(handedOverAt: now)
            if expiresAt < link.expiresAt { try rows.setExpiry(of: hash, to: expiresAt) }
            return expiresAt
        }
    }

    func standing(_ lane: OutboxMessage.Lane) async throws -> OutboxStanding {
        try await database.read { database in
            let row = try database.row(
                """
                SELECT count(*) FILTER (WHERE next_attempt_at < ?2) AS pending,
                    min(created_at) FILTER (WHERE next_attempt_at < ?2) AS oldest,
                    count(*) FILTER (WHERE next_attempt_at = ?2) AS dead
                FROM outbox WHERE lane = ?1
                """, [lane.rawValue, OutboxRows.never])
            return row.map { OutboxStanding(pending: $0["pending"], oldestAt: $0["oldest"], dead: $0["dead"]) }
                ?? OutboxStanding(pending: 0, oldestAt: nil, dead: 0)
        }
    }

    func listed(behind last: OutboxItem.ID?, limit: Int) async throws -> [OutboxListing] {
        try await database.read { database in
            try database.rows(
                """
                SELECT id, lane, kind, user_id, attempts, nullif(next_attempt_at, ?3) AS next_attempt_at, created_at
                FROM outbox WHERE ?1 IS NULL OR id > ?1 ORDER BY id LIMIT ?2
                """, [last, limit, OutboxRows.never]
            ).map { row in
                OutboxListing(
                    id: row["id"], lane: row["lane"], kind: row["kind"], user: try row.decode(forColumn: "user_id"),
                    attempts: row["attempts"], nextAttemptAt: row["next_attempt_at"], createdAt: row["created_at"])
            }
        }
    }

    func retry(_ item: OutboxItem.ID, origin: RequestOrigin, now: Int64) async throws -> Bool {
        try await database.write { database in
            // The row's age begins again; otherwise it would be dead again at once. That of a code stays, since it is the time of
            // the sign-in.
            let row = try database.row(
                """
                UPDATE outbox SET next_attempt_at = ?1, created_at = iif(kind = ?3, created_at, ?1) WHERE id = ?2
                RETURNING user_id, kind
                """, [now, item, OutboxMessage.Kind.exchangeCode.rawValue])
            return try Self.note(.outboxRetried, row, origin, now, in: database)
        }
    }

    func drop(
        _ item: OutboxItem.ID, in lane: OutboxMessage.Lane, origin: RequestOrigin, now: Int64
    ) async throws -> Bool {
        let isDropped = try await database.write { database in
            let row = try database.row(
                "DELETE FROM outbox WHERE id = ? AND lane = ? RETURNING user_id, kind", [item, lane.rawValue])
            return try Self.note(.outboxDropped, row, origin, now, in: database)
        }
        if isDropped { database.emptyLogSoon() }
        return isDropped
    }

    /// Writes a change of a row to the audit.
    ///
    /// - Parameter row: the row's user and kind, or `nil` if there was no row.
    /// - Returns: whether there was a row.
    private static func note(
        _ event: AuditEntry.Event, _ row: Row?, _ origin: RequestOrigin, _ now: Int64, in database: Database
    ) throws -> Bool {
        guard let row else { return false }
        let entry = AuditEntry(
            event: event, subject: try subject(row, in: database), origin: origin,
            detail: try row.decode(forColumn: "kind"))
        try AuditRows(database: database).append(entry, now: now)
        return true
    }

    /// Returns the pseudonym of a row's user, who may be removed already.
    private static func subject(_ row: Row, in database: Database) throws -> Pseudonym {
        try UserRows(database: database).user(try row.decode(forColumn: "user_id"))?.pseudonym ?? .zero
    }
}

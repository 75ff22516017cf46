import PostgreSQL
import TokenCore

/// A refresh as it is written: a rotation, or the repeat of one. Refreshes that arrive together are one statement.
struct RefreshWrite: Sendable {
    let seen: SessionRecord
    /// The next token; `nil` for a repeat.
    let next: NextToken?
    /// The expiry of the access token issued with it, in Unix seconds.
    let accessExpiresAt: Int64
    /// The marks to be written, which are those that were seen if they stay.
    let marks: RotationMarks
    /// Unix time in seconds.
    let now: Int64

    /// Writes those whose sessions are as they were seen. The rows are locked in one order, so that groups of several processes
    /// never wait in a circle.
    ///
    /// - Returns: Whether each was written.
    static func run(
        _ writes: [RefreshWrite], audits: Bool, _ userIDs: StoredUserID, in transaction: Transaction
    ) throws -> [Bool] {
        let rows = try transaction.rows(
            sql, SQLValue.array(writes.map(\.seen.locator)), SQLValue.array(writes.map(\.seen.currentHash)),
            SQLValue.array(writes.map(\.seen.sealedClaims)), SQLValue.array(writes.map { $0.next?.hash }),
            SQLValue.array(writes.map { $0.next?.generation ?? 0 }), SQLValue.array(writes.map { $0.next?.salt }),
            SQLValue.array(writes.map(\.now)), SQLValue.array(writes.map { $0.next?.idleExpiresAt ?? 0 }),
            SQLValue.array(writes.map(\.accessExpiresAt)),
            SQLValue.array(writes.map(\.marks.newer.generation)), SQLValue.array(writes.map(\.marks.newer.at)),
            SQLValue.array(writes.map(\.marks.older.generation)), SQLValue.array(writes.map(\.marks.older.at)))
        let written = Set(rows.map { $0.integer(0) })
        for write in writes where audits && write.next != nil && written.contains(write.seen.locator) {
            let record = AuditRecord(event: .rotated, userID: write.seen.userID, session: write.seen.id)
            try record.insert(at: write.now, userIDs, into: transaction)
        }
        return writes.map { written.contains($0.seen.locator) }
    }

    private static let sql = """
        WITH given AS (
            SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bigint[], $6::bytea[],
                $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])
                AS t (locator, seen_hash, seen_claims, hash, generation, salt, now, idle_expires_at, access_expires_at,
                    mark_generation, marked_at, older_mark_generation, older_marked_at)
        ), locked AS (
            SELECT locator FROM sessions WHERE locator = ANY($1) ORDER BY locator FOR UPDATE
        )
        UPDATE sessions AS s SET
            previous_hash = CASE WHEN g.hash IS NULL THEN s.previous_hash ELSE s.current_hash END,
            current_hash = coalesce(g.hash, s.current_hash),
            generation = CASE WHEN g.hash IS NULL THEN s.generation ELSE g.generation END,
            salt = coalesce(g.salt, s.salt),
            last_used_at = CASE WHEN g.hash IS NULL THEN s.last_used_at ELSE g.now END,
            idle_expires_at = CASE WHEN g.hash IS NULL THEN s.idle_expires_at ELSE g.idle_expires_at END,
            access_expires_at = greatest(s.access_expires_at, g.access_expires_at),
            mark_generation = g.mark_generation, marked_at = g.marked_at,
            older_mark_generation = g.older_mark_generation, older_marked_at = g.older_marked_at
        FROM given AS g JOIN locked USING (locator)
        WHERE s.locator = g.locator AND s.current_hash = g.seen_hash AND s.claims = g.seen_claims AND NOT s.is_revoked
        RETURNING s.locator
        """
}

import Storage
import TokenCore

/// A refresh as it is written: a rotation, or the repeat of one.
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

    /// Writes it if the session is as it was seen.
    ///
    /// - Returns: Whether it was written.
    func run(audits: Bool, _ userIDs: StoredUserID, in transaction: any Transaction) throws -> Bool {
        let rows = try transaction.rows(
            Self.one, seen.locator, seen.currentHash, seen.sealedClaims, next?.hash, next?.generation, next?.salt, now,
            next?.idleExpiresAt, accessExpiresAt, marks.newer.generation, marks.newer.at, marks.older.generation,
            marks.older.at)
        if !rows.isEmpty, audits, next != nil { try audit(userIDs, in: transaction) }
        return !rows.isEmpty
    }

    /// Writes those whose sessions are as they were seen, in one statement, because a server would take a round trip for each. The
    /// rows are locked in one order, so that groups of several processes never wait in a circle.
    ///
    /// - Returns: Whether each was written.
    static func run(
        _ writes: [RefreshWrite], audits: Bool, _ userIDs: StoredUserID, in transaction: any Transaction
    ) throws -> [Bool] {
        let rows = try transaction.rows(
            many, SQLValue.integers(writes.map(\.seen.locator)), SQLValue.byteStrings(writes.map(\.seen.currentHash)),
            SQLValue.byteStrings(writes.map(\.seen.sealedClaims)), SQLValue.byteStrings(writes.map { $0.next?.hash }),
            SQLValue.integers(writes.map { $0.next?.generation ?? 0 }),
            SQLValue.byteStrings(writes.map { $0.next?.salt }), SQLValue.integers(writes.map(\.now)),
            SQLValue.integers(writes.map { $0.next?.idleExpiresAt ?? 0 }),
            SQLValue.integers(writes.map(\.accessExpiresAt)), SQLValue.integers(writes.map(\.marks.newer.generation)),
            SQLValue.integers(writes.map(\.marks.newer.at)), SQLValue.integers(writes.map(\.marks.older.generation)),
            SQLValue.integers(writes.map(\.marks.older.at)))
        let written = Set(rows.map { $0.integer(0) })
        for write in writes where audits && write.next != nil && written.contains(write.seen.locator) {
            try write.audit(userIDs, in: transaction)
        }
        return writes.map { written.contains($0.seen.locator) }
    }

    private func audit(_ userIDs: StoredUserID, in transaction: any Transaction) throws {
        try AuditRecord(event: .rotated, userID: seen.userID, session: seen.id)
            .insert(at: now, userIDs, into: transaction)
    }

    private static let one: SQL = """
        UPDATE sessions SET
            previous_hash = CASE WHEN $4 IS NULL THEN previous_hash ELSE current_hash END,
            current_hash = coalesce($4, current_hash), generation = coalesce($5, generation),
            salt = coalesce($6, salt), last_used_at = CASE WHEN $4 IS NULL THEN last_used_at ELSE $7 END,
            idle_expires_at = coalesce($8, idle_expires_at), access_expires_at = greatest(access_expires_at, $9),
            mark_generation = $10, marked_at = $11, older_mark_generation = $12, older_marked_at = $13
        WHERE locator = $1 AND current_hash = $2 AND claims = $3 AND is_revoked = false RETURNING 1
        """

    private static let many: SQL = """
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
        WHERE s.locator = g.locator AND s.current_hash = g.seen_hash AND s.claims = g.seen_claims AND s.is_revoked = false
        RETURNING s.locator
        """
}

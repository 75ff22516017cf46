import PostgreSQL
import TokenCore

/// The sessions in their user's list, and their removal with the user.
extension PostgresSessionStore {
    /// The condition for a live row; $2 is the time.
    static let isLive = """
        NOT is_revoked AND idle_expires_at > $2 AND (absolute_expires_at IS NULL OR absolute_expires_at > $2)
        """

    func sessions(ofUser userID: String, limit: Int, now: Int64) async throws -> [SessionRecord] {
        try await database.write { transaction in
            try transaction.rows(
                """
                SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = $1 AND \(Self.isLive)
                ORDER BY created_at DESC, locator DESC LIMIT $3::bigint
                """, userIDs.value(userID), now, limit
            ).compactMap { SessionRecord($0, userIDs: userIDs) }
        }
    }

    func liveCounts(ofUsers userIDs: [String], now: Int64) async throws -> [Int] {
        let users = SQLValue.array(userIDs.map { self.userIDs.value($0) })
        return try await database.read { reading in
            try reading.rows(
                """
                SELECT (SELECT count(*) FROM sessions WHERE user_id = u.id AND \(Self.isLive))
                FROM unnest($1::bytea[]) WITH ORDINALITY AS u (id, place) ORDER BY place
                """, users, now
            ).map { Int($0.integer(0)) }
        }
    }

    func liveCount(now: Int64) async throws -> Int {
        try await database.read { reading in
            // The first argument is the owner; without one, all users' sessions count.
            let rows = try reading.rows(
                "SELECT count(*) FROM sessions WHERE $1::bytea IS NULL AND \(Self.isLive)", [UInt8]?.none, now)
            return Int(rows.first?.integer(0) ?? 0)
        }
    }

    /// A revocation that Redis may not know yet stays until it does, and a repeat finds it by its session.
    func removeEnded(ofUser userID: String, limit: Int) async throws -> Int {
        try await database.write { transaction in
            try transaction.rows(
                """
                WITH ended AS (
                    SELECT locator, sid FROM sessions AS s WHERE user_id = $1 AND is_revoked
                        AND NOT EXISTS (SELECT 1 FROM revocations AS r WHERE r.sid = s.sid AND NOT r.published)
                    ORDER BY locator LIMIT $2::bigint FOR UPDATE
                ), floors AS (
                    DELETE FROM version_floors USING ended WHERE version_floors.sid = ended.sid
                )
                DELETE FROM sessions USING ended WHERE sessions.locator = ended.locator RETURNING 1
                """, userIDs.value(userID), limit
            ).count
        }
    }

    func forgetEpoch(ofUser userID: String, at forgottenAt: Int64, now: Int64) async throws {
        try await database.write { transaction in
            let changed = try transaction.rows(
                "UPDATE user_epochs SET expires_at = $2 WHERE user_id = $1 AND expires_at IS NULL RETURNING 1",
                userIDs.value(userID), forgottenAt)
            // A repeat leaves no second record.
            guard !changed.isEmpty else { return }
            try AuditRecord(event: .userRemoved, userID: userID).insert(at: now, userIDs, into: transaction)
        }
    }
}

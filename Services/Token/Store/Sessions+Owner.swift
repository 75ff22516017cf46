import InternalAPI
import Storage
import TokenCore

/// The sessions in their user's list, and their removal with the user.
extension Sessions {
    /// The condition for a live row; $2 is the time.
    static let isLive: SQL = """
        is_revoked = false AND idle_expires_at > $2 AND (absolute_expires_at IS NULL OR absolute_expires_at > $2)
        """

    func sessions(ofUser userID: String, limit: Int, now: Int64) async throws -> [SessionRecord] {
        try await database.readDurably { reading in
            try reading.rows(
                """
                SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = $1 AND \(Self.isLive)
                ORDER BY created_at DESC, locator DESC LIMIT $3
                """, userIDs.value(userID), now, limit
            ).compactMap { SessionRecord($0, userIDs: userIDs) }
        }
    }

    func allSessions(ofUser userID: String, before: Int64?, limit: Int) async throws -> [SessionRecord] {
        try await database.readDurably { reading in
            try reading.rows(
                """
                SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = $1 AND locator < $2
                ORDER BY locator DESC LIMIT $3
                """, userIDs.value(userID), before ?? .max, limit
            ).map { row in
                guard let session = SessionRecord(row, userIDs: userIDs) else {
                    throw StorageError(.corrupt, "a session does not decode")
                }
                return session
            }
        }
    }

    private static let liveCount: SQL = "SELECT count(*) FROM sessions WHERE user_id = $1 AND \(isLive)"

    func liveCounts(ofUsers userIDs: [String], now: Int64) async throws -> [Int] {
        let users = userIDs.map { self.userIDs.value($0) }
        return try await database.read { reading in
            try reading.results(users.map { Statement(Self.liveCount, $0, now) }).map { Int($0.first?.integer(0) ?? 0) }
        }
    }

    func newestUse(ofUser userID: String) async throws -> NewestUse {
        try await database.read { reading in
            let row = try reading.rows(Self.newestUse, userIDs.value(userID)).first
            let floor = row?.integer(2) ?? 0
            return NewestUse(
                at: [row?.optionalInteger(0), row?.optionalInteger(1)].compactMap { $0 }.max(),
                knownSince: floor > 0 ? floor : nil)
        }
    }

    private static let newestUse: SQL = """
        SELECT (SELECT max(last_used_at) FROM sessions WHERE user_id = $1 AND actor IS NULL),
            (SELECT last_used_at FROM user_epochs WHERE user_id = $1), (SELECT epoch FROM restore_floor)
        """

    /// The first parameter would be the owner; without one, all users' sessions count.
    private static let allLive: SQL = "SELECT count(*) FROM sessions WHERE CAST($1 AS bigint) IS NULL AND \(isLive)"

    func liveCount(now: Int64) async throws -> Int {
        try await database.read { Int(try $0.rows(Self.allLive, Int64?.none, now).first?.integer(0) ?? 0) }
    }

    /// Selects the revoked sessions, except for those whose revocation Redis may not know yet: a repeat finds it by its session.
    private static let ended: SQL = """
        SELECT locator, sid FROM sessions AS s WHERE user_id = $1 AND is_revoked = true
            AND NOT EXISTS (SELECT 1 FROM revocations AS r WHERE r.sid = s.sid AND r.published = false)
        ORDER BY locator LIMIT $2\(SQL.forUpdate)
        """

    func removeEnded(ofUser userID: String, limit: Int) async throws -> Int {
        try await database.write { transaction in
            let ended = try transaction.rows(Self.ended, userIDs.value(userID), limit)
            for row in ended {
                try transaction.run("DELETE FROM version_floors WHERE sid = $1", row.bytes(1))
                try transaction.run("DELETE FROM sessions WHERE locator = $1", row.integer(0))
            }
            return ended.count
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

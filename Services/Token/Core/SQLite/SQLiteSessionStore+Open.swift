internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

extension SQLiteSessionStore {
    /// How long a spent grant's id is remembered beyond its expiry: another grant of the same attestation has the same id.
    private static let spentGrantExtraSeconds: Int64 = 3_600
    /// Sessions that one sign-in ends at most.
    private static let displacedAtOnceMax = 16
    /// The epoch of users that was never raised. They have no row: they are most, and their rows would be a third of the
    /// file.
    private static let firstEpoch: Int64 = 1

    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningResult {
        try await database.write { database in
            let user = userIDs.value(opening.userID)
            let facts = try OpeningFacts(of: user, grantID: opening.grantID, in: database)
            guard opening.epoch >= facts.epoch else { return .epochStale }
            if opening.epoch > max(facts.epoch, Self.firstEpoch) {
                try setEpoch(of: user, to: opening.epoch, in: database)
            }
            guard opening.version >= facts.version else { return .epochStale }
            if let locator = facts.openedSession { return try repeated(opening, locator: locator, in: database) }
            let token = opening.firstToken(facts.nextLocator)
            let record = SessionRecord(opening, token)
            try insert(record, of: user, into: database)
            try spend(opening, for: record.locator, in: database)
            try AuditRecord(event: .opened, userID: user, session: record.id, detail: record.method)
                .insert(at: now, into: database)
            return .opened(
                record, token, displaced: try displace(beyond: opening.sessionsMax, of: user, now: now, in: database))
        }
    }

    /// The live sessions of user ?1 at ?2 beyond the ?3 used last, at most ?4.
    static let beyondCount = """
        SELECT locator FROM sessions WHERE user_id = ?1 AND \(isLive)
        ORDER BY last_used_at DESC, locator DESC LIMIT ?4 OFFSET ?3
        """

    /// Ends the user's sessions beyond `count`, those that were used longest ago.
    ///
    /// More than one only after the policy has come down; then a few with each sign-in, so that none holds the file for long.
    private func displace(
        beyond count: Int, of user: DatabaseValue, now: Int64, in database: Database
    ) throws -> [Revocation] {
        let locators = try Int64.fetchAll(
            database.cachedStatement(sql: Self.beyondCount), arguments: [user, now, count, Self.displacedAtOnceMax])
        return try locators.compactMap { try record(at: $0, in: database) }.compactMap { record in
            try revoke(record, reason: .displaced, now: now, in: database)
            return try unpublished(of: record.id, in: database)
        }
    }

    private func repeated(
        _ opening: SessionOpening, locator: Int64, in database: Database
    ) throws -> OpeningResult {
        guard let record = try record(at: locator, in: database), let token = opening.repeatedToken(record) else {
            return .spent
        }
        try lengthenAccess(of: locator, to: opening.accessExpiresAt, in: database)
        return .repeated(record, token)
    }

    /// Writes the user's highest epoch.
    func setEpoch(of user: DatabaseValue, to epoch: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO user_epochs (user_id, epoch) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET epoch = max(epoch, excluded.epoch)
                """
        ).execute(arguments: [user, epoch])
    }

    private func spend(_ opening: SessionOpening, for locator: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO spent_grants (id, session, expires_at) VALUES (?, ?, ?)")
            .execute(arguments: [opening.grantID, locator, opening.grantExpiresAt + Self.spentGrantExtraSeconds])
    }

    private func insert(_ record: SessionRecord, of user: DatabaseValue, into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO sessions (locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation,
                    salt, created_at, last_used_at, idle_expires_at, absolute_expires_at, access_expires_at, device, network,
                    claims)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, zeroblob(32), 0, ?15, ?8, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
                """)
        try statement.execute(arguments: [
            record.locator, Data(record.id.bytes), user, record.epoch, record.dialect, record.method,
            Data(record.currentHash), record.createdAt, record.idleExpiresAt, record.absoluteExpiresAt,
            record.accessExpiresAt, record.device, record.network, Data(record.sealedClaims),
            Data(record.salt),
        ])
    }

    /// Notes that an access token of the session lives until `accessExpiresAt`.
    func lengthenAccess(of locator: Int64, to accessExpiresAt: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE sessions SET access_expires_at = max(access_expires_at, ?) WHERE locator = ?"
        ).execute(arguments: [accessExpiresAt, locator])
    }
}

import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

extension SQLiteSessionStore {
    /// How long a used grant's id is remembered after its expiry, since another grant of the same attestation has the same id.
    private static let spentGrantExtraSeconds: Int64 = 3_600
    /// The greatest number of sessions that one sign-in revokes.
    private static let displacedAtOnceMax = 16
    /// The epoch of users without a raised one. They have no row, because they are the majority and their rows would be a
    /// third of the file.
    private static let firstEpoch: Int64 = 1

    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningOutcome {
        try await database.write { database in
            let session = opening.session
            let user = userIDs.value(session.userID)
            let known = try epochAndVersion(of: user, in: database)
            guard session.epoch >= known.epoch else { return .grantStale }
            if session.epoch > max(known.epoch, Self.firstEpoch) {
                try setEpoch(of: user, to: session.epoch, in: database)
            }
            guard opening.version >= known.version else { return .grantStale }
            if let opened = try openedSession(grantID: opening.grantID, in: database) {
                return .spent(try record(at: opened, in: database))
            }
            try insert(session, of: user, into: database)
            try spend(opening, in: database)
            try AuditRecord(event: .opened, userID: user, session: session.id, detail: session.method)
                .insert(at: now, into: database)
            let replaced = try opening.replacedPageHash.flatMap { try replace($0, now: now, in: database) }
            let displaced = try displace(beyond: opening.sessionsMax, of: user, now: now, in: database)
            return .opened(displaced: (replaced.map { [$0] } ?? []) + displaced)
        }
    }

    /// Returns the highest epoch of a user that was seen, and the highest version of their rights that was received; 0 if there was
    /// no change.
    ///
    /// No user's epoch is below the file's, so that a grant from before a restore is refused.
    func epochAndVersion(of user: DatabaseValue, in database: Database) throws -> (epoch: Int64, version: Int64) {
        let own = try database.cachedStatement(sql: EpochColumn.byUser)
            .first([user]) { (row: StatementColumns<EpochColumn>) in
                (epoch: row.integer(.epoch), version: row.integer(.version))
            }
        return (max(try RestoreFloor.number(in: database), own?.epoch ?? 0), own?.version ?? 0)
    }

    private func openedSession(grantID: String, in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT session FROM spent_grants WHERE id = ?"), arguments: [grantID])
    }

    /// Counts a user's sessions that were not revoked; the index suffices for it.
    static let notEnded = "SELECT count(*) FROM sessions WHERE user_id = ? AND is_revoked = 0"

    /// Selects the live sessions of user ?1 at ?2 beyond the ?3 used last, at most ?4.
    static let beyondCount = """
        SELECT locator FROM sessions WHERE user_id = ?1 AND \(isLive)
        ORDER BY last_used_at DESC, locator DESC LIMIT ?4 OFFSET ?3
        """

    /// Revokes the user's sessions beyond `count`, those that were used longest ago.
    ///
    /// There is more than one only after the policy's limit has been lowered. Then each sign-in revokes a few, so that none locks
    /// the file for long.
    private func displace(
        beyond count: Int, of user: DatabaseValue, now: Int64, in database: Database
    ) throws -> [Revocation] {
        // Most users have few sessions, of which not one has to be read.
        let held = try Int.fetchOne(database.cachedStatement(sql: Self.notEnded), arguments: [user]) ?? 0
        guard held > count else { return [] }
        let locators = try Int64.fetchAll(
            database.cachedStatement(sql: Self.beyondCount), arguments: [user, now, count, Self.displacedAtOnceMax])
        return try locators.compactMap { try record(at: $0, in: database) }.compactMap { record in
            try revoke(record, reason: .displaced, now: now, in: database)
            return try revocations.unpublished(of: record.id, in: database)
        }
    }

    static let byPage = "SELECT \(SessionRecord.columns) FROM sessions WHERE page_hash = ?"

    /// Revokes the session of the page whose secret has this hash, unless it has ended.
    private func replace(_ pageHash: [UInt8], now: Int64, in database: Database) throws -> Revocation? {
        let statement = try database.cachedStatement(sql: Self.byPage)
        let found = try statement.first([Data(pageHash)]) { SessionRecord($0, userIDs: userIDs) }
        guard let record = found, record.revokedFor == nil else { return nil }
        try revoke(record, reason: .replaced, now: now, in: database)
        return try revocations.unpublished(of: record.id, in: database)
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

    private func spend(_ opening: SessionOpening, in database: Database) throws {
        let expiresAt = opening.grantExpiresAt.addingReportingOverflow(Self.spentGrantExtraSeconds).partialValue
        try database.cachedStatement(sql: "INSERT INTO spent_grants (id, session, expires_at) VALUES (?, ?, ?)")
            .execute(arguments: [opening.grantID, opening.session.locator, expiresAt])
    }

    private func insert(_ record: SessionRecord, of user: DatabaseValue, into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO sessions (locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation,
                    salt, created_at, last_used_at, idle_expires_at, absolute_expires_at, access_expires_at, device, network,
                    claims, page_hash, marked_at, older_marked_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, zeroblob(32), 0, ?15, ?8, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?16, ?17, ?17)
                """)
        try statement.execute(arguments: [
            record.locator, Data(record.id.bytes), user, record.epoch, record.dialect, record.method,
            Data(record.currentHash), record.createdAt, record.idleExpiresAt, record.absoluteExpiresAt,
            record.accessExpiresAt, record.device, record.network, Data(record.sealedClaims),
            Data(record.salt), record.pageHash.map { Data($0) }, record.marks.newer.at,
        ])
    }
}

/// The columns of `user_epochs` besides its key.
private enum EpochColumn: CInt, StatementColumn {
    case epoch, version

    static let byUser = "SELECT \(list) FROM user_epochs WHERE user_id = ?"
}

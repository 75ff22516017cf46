import InternalAPI
import Storage
import TokenCore

extension Sessions {
    /// How long a used grant's id is remembered after its expiry, since another grant of the same attestation has the same id.
    private static let usedGrantExtraSeconds: Int64 = 3_600
    /// The greatest number of sessions that one sign-in revokes.
    private static let displacedAtOnceMax = 16
    /// The epoch of users without a raised one. Most of them have no row.
    private static let firstEpoch: Int64 = 1

    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningOutcome {
        let name = OperatorName.current
        return try await database.write { transaction in
            let session = opening.session
            takeLocks(for: opening, in: transaction)
            if let actor = opening.actor {
                let id = userIDs.value(actor.userID)
                let known = try OpeningFacts.read(opening, id, in: transaction)
                let own = try transaction.rows(Self.liveOwn, actor.sessionID.bytes, id)
                guard !own.isEmpty, actor.version >= known.version else { return .grantStale }
            }
            let known = try OpeningFacts.read(opening, userIDs.value(session.userID), in: transaction)
            guard session.epoch >= known.epoch else { return .grantStale }
            if session.epoch > max(known.epoch, Self.firstEpoch) {
                try setEpoch(of: session.userID, to: session.epoch, in: transaction)
            }
            guard opening.version >= known.version else { return .grantStale }
            if let opened = known.openedSession {
                let rows = try transaction.rows(
                    "SELECT \(SessionRecord.columns) FROM sessions WHERE locator = $1", opened)
                return .used(rows.first.flatMap { SessionRecord($0, userIDs: userIDs) })
            }
            let ending =
                try opening.actor.map { try earlierActing(by: $0, as: session.userID, now: now, in: transaction) }
                ?? sessionsToEnd(by: opening, known, now: now, in: transaction)
            try insert(session, in: transaction)
            try spend(opening, in: transaction)
            if session.actorID == nil {
                try audit(.opened, session, detail: session.method, now: now, in: transaction)
            } else {
                try audit(.acting, session, detail: nil, by: name, now: now, in: transaction)
            }
            for (record, reason) in ending { try revoke(record, reason: reason, now: now, in: transaction) }
            return .opened(displaced: ending.map { $0.revocation(for: $1) })
        }
    }

    /// The lock keeps an end of the actor's session waiting, which finds the opened one then.
    private static let liveOwn: SQL = """
        SELECT 1 FROM sessions WHERE sid = $1 AND user_id = $2 AND is_revoked = false\(SQL.forUpdate)
        """
    private static let owners: SQL = """
        SELECT CAST($1 AS bytea) UNION ALL SELECT user_id FROM sessions WHERE page_hash = $2
        """

    /// Takes the lock on the user. The session that a page had may be another user's, whose events are locked too.
    private func takeLocks(for opening: SessionOpening, in transaction: any Transaction) {
        guard writesEvents, let page = opening.replacedPageHash else {
            return transaction.lock([opening.session.userID, opening.actor?.userID].compactMap { $0 }.map(lock))
        }
        transaction.lock(.user, namedBy: Statement(Self.owners, userIDs.value(opening.session.userID), page))
    }

    /// Selects the live session of page $5, and those of user $1 at $2 beyond the $3 used last, at most $4.
    static let ending: SQL = """
        SELECT \(SessionRecord.columns) FROM sessions
        WHERE is_revoked = false AND locator IN (
            SELECT locator FROM sessions WHERE page_hash = $5
            UNION ALL SELECT locator FROM (
                SELECT locator FROM sessions WHERE user_id = $1 AND (page_hash = $5) IS NOT TRUE AND actor IS NULL AND \(isLive)
                ORDER BY last_used_at DESC, locator DESC LIMIT $4 OFFSET $3) AS beyond)
        ORDER BY locator\(SQL.forUpdate)
        """

    /// Returns the live sessions that a sign-in revokes: the page's earlier one, and those beyond the user's limit that were used
    /// longest ago.
    private func sessionsToEnd(
        by opening: SessionOpening, _ known: OpeningFacts, now: Int64, in transaction: any Transaction
    ) throws -> [(SessionRecord, RevocationReason)] {
        guard known.liveCount >= opening.sessionsMax || opening.replacedPageHash != nil else { return [] }
        let records = try transaction.rows(
            Self.ending, userIDs.value(opening.session.userID), now, max(0, opening.sessionsMax - 1),
            Self.displacedAtOnceMax, opening.replacedPageHash
        ).compactMap { SessionRecord($0, userIDs: userIDs) }
        return records.map { record in
            let isReplaced = opening.replacedPageHash != nil && record.pageHash == opening.replacedPageHash
            return (record, isReplaced ? .replaced : .displaced)
        }
    }

    /// Returns the live sessions in which the actor acts as the user already.
    private func earlierActing(
        by actor: SessionOpening.Actor, as userID: String, now: Int64, in transaction: any Transaction
    ) throws -> [(SessionRecord, RevocationReason)] {
        try lockedRecords(
            "actor = $1 AND user_id = $2 AND is_revoked = false", userIDs.value(actor.userID), userIDs.value(userID),
            in: transaction
        ).filter { now < $0.accessExpiresAt }.map { ($0, .replaced) }
    }

    /// Writes the user's highest epoch.
    func setEpoch(of userID: String, to epoch: Int64, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO user_epochs (user_id, epoch) VALUES ($1, $2)
            ON CONFLICT (user_id) DO UPDATE SET epoch = greatest(user_epochs.epoch, excluded.epoch)
            """, userIDs.value(userID), epoch)
    }

    private func spend(_ opening: SessionOpening, in transaction: any Transaction) throws {
        try spend(opening.grantID, in: opening.session, until: opening.grantExpiresAt, transaction)
    }

    /// Marks a statement as used.
    func spend(
        _ id: String, in session: SessionRecord, until expiresAt: Int64, _ transaction: any Transaction
    ) throws {
        try transaction.run(
            "INSERT INTO used_grants (id, session, expires_at) VALUES ($1, $2, $3)", id, session.locator,
            expiresAt.addingReportingOverflow(Self.usedGrantExtraSeconds).partialValue)
    }

    private func insert(_ record: SessionRecord, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO sessions (locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation,
                salt, created_at, last_used_at, authenticated_at, idle_expires_at, absolute_expires_at, access_expires_at,
                device, network, claims, page_hash, marked_at, older_marked_at, device_kind, actor, factors)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $10, $19, $11, $12, $13, $14, $15, $16, $17, $18, $18, $20,
                $21, $22)
            """, record.locator, record.id.bytes, userIDs.value(record.userID), record.epoch, record.dialect,
            record.method, record.currentHash, record.previousHash, record.salt, record.createdAt,
            record.idleExpiresAt, record.absoluteExpiresAt, record.accessExpiresAt, record.device, record.network,
            record.sealedClaims, record.pageHash, record.marks.newer.at, record.authenticatedAt,
            record.deviceKind, record.actorID.map { userIDs.value($0) },
            record.factors == AuthenticationFactors(method: record.method) ? nil : record.storedFactors)
    }
}

/// The facts that a sign-in depends on, read under the user's lock.
struct OpeningFacts {
    /// The highest epoch of the user that was seen. No user's epoch is below the database's, so that a grant from before a restore
    /// is refused.
    let epoch: Int64
    /// The highest version of the user's rights that was received; 0 if there was no change.
    let version: Int64
    /// The number of the session that the grant has opened before.
    let openedSession: Int64?
    /// The number of the user's sessions that were not revoked.
    let liveCount: Int64

    static let byUser: SQL = """
        SELECT greatest(f.epoch, e.epoch), e.version, g.session,
            (SELECT count(*) FROM sessions WHERE user_id = $1 AND is_revoked = false)
        FROM restore_floor AS f LEFT JOIN user_epochs AS e ON e.user_id = $1 LEFT JOIN used_grants AS g ON g.id = $2
        """

    fileprivate static func read(
        _ opening: SessionOpening, _ user: [UInt8], in transaction: any Transaction
    ) throws -> OpeningFacts {
        let row = try transaction.rows(byUser, user, opening.grantID).first
        return OpeningFacts(
            epoch: row?.integer(0) ?? 0, version: row?.integer(1) ?? 0, openedSession: row?.optionalInteger(2),
            liveCount: row?.integer(3) ?? 0)
    }
}

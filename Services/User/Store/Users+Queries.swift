import InternalAPI
import Storage
import UserCore

extension Users: UserQueries {
    func user(_ id: UserID) async throws -> User? {
        try await database.read { try $0.rows(UserRows.byID, id.bytes).first.flatMap(UserRows.user) }
    }

    func users(_ ids: [UserID]) async throws -> [User] {
        try await database.read { reading in
            try reading.results(ids.map { Statement(UserRows.byID, $0.bytes) }).compactMap {
                try $0.first.flatMap(UserRows.user)
            }
        }
    }

    func durableUser(_ id: UserID) async throws -> User? {
        try await database.readDurably { try $0.rows(UserRows.byID, id.bytes).first.flatMap(UserRows.user) }
    }

    func find(_ key: UserKey) async throws -> SeenUser? {
        try await database.read { reading in
            let rows =
                switch key {
                case .id(let id): try reading.rows(Self.seen("u.id = $1"), id.bytes)
                case .identity(let identity):
                    try reading.rows(Self.seenByIdentity, identity.kind.rawValue, identity.value)
                case .legacyID(let text): try reading.rows(Self.seen("u.legacy_id = $1"), text)
                }
            return try Self.seen(rows, in: reading).first
        }
    }

    func verifiedAt(_ identity: VerifiedIdentity) async throws -> Int64? {
        try await database.read { reading in
            try reading.rows(
                "SELECT greatest(created_at, last_used_at) FROM identities WHERE kind = $1 AND value = $2",
                identity.kind.rawValue, identity.value
            ).first?.integer(0)
        }
    }

    func merged(_ id: UserID) async throws -> MergedUser? {
        try await database.read { try $0.rows(MergedRows.byID, id.bytes).first.map(MergedRows.merged) }
    }

    func page(behind last: UserID?, limit: Int) async throws -> [SeenUser] {
        try await database.read { reading in
            let page: [any SQLConvertible] = [limit]
            let rows =
                try last.map { try reading.rows(Self.olderUsers, page + [$0.bytes]) }
                ?? reading.rows(Self.newestUsers, page)
            return try Self.seen(rows, in: reading)
        }
    }

    func page(after offset: Int, limit: Int) async throws -> [SeenUser] {
        try await database.read { try Self.seen($0.rows(Self.usersAfter, limit, offset), in: $0) }
    }

    func counts() async throws -> UserCounts {
        try await database.read { reading in
            let row = try reading.rows(
                """
                SELECT count(*), count(*) FILTER (WHERE NOT is_active), count(deletion_due_at),
                    count(*) FILTER (WHERE is_for_review) FROM users
                """
            ).first
            return UserCounts(
                users: row?.integer(0) ?? 0, inactive: row?.integer(1) ?? 0, scheduled: row?.integer(2) ?? 0,
                reviewers: row?.integer(3) ?? 0)
        }
    }

    func isOwned(_ identity: VerifiedIdentity) async throws -> Bool {
        try await database.read { reading in
            !(try reading.rows(
                """
                SELECT 1 FROM identities AS i JOIN users AS u ON u.id = i.user_id
                WHERE i.kind = $1 AND i.value = $2 AND NOT u.is_for_review
                """, identity.kind.rawValue, identity.value)).isEmpty
        }
    }

    func isAwaited(_ number: String) async throws -> Bool {
        try await database.read { !(try $0.rows(PendingRows.ofNumber, number)).isEmpty }
    }

    func invitation(of identity: VerifiedIdentity, now: Int64) async throws -> Invitation? {
        try await database.read { reading in
            try reading.rows(FactStatements.invitation, identity.kind.rawValue, identity.value, now)
                .first.map { try FactStatements.invitation($0, identity) }
        }
    }

    func invitations(limit: Int, now: Int64) async throws -> [Invitation] {
        try await database.read { reading in
            try reading.rows(
                """
                SELECT id, role, expires_at, kind, value FROM invitations WHERE expires_at > $1
                ORDER BY expires_at, value LIMIT $2
                """, now, limit
            ).compactMap { row in
                guard let kind = VerifiedIdentity.Kind(rawValue: row.text(3)) else { return nil }
                return try FactStatements.invitation(row, VerifiedIdentity(kind: kind, value: row.text(4)))
            }
        }
    }

    func numbers(prefix: String, after last: String?, limit: Int, now: Int64) async throws -> [HeldNumber] {
        try await database.read { reading in
            // Only digits follow a prefix, and `:` comes after `9` in ASCII.
            try reading.rows(Self.numbers, Self.first(of: prefix, after: last), prefix + ":", now, limit).map { row in
                HeldNumber(number: row.text(0), user: row.optionalBytes(1).flatMap(UserID.init))
            }
        }
    }

    func removed(behind last: UserID?, limit: Int) async throws -> [UserID] {
        try await database.read { reading in
            try reading.rows(
                "SELECT id FROM removed_users WHERE id > $1 ORDER BY id LIMIT $2", last?.bytes ?? [], limit
            ).map { try $0.userID(0) }
        }
    }

    func decisions(after sequence: Int64, limit: Int) async throws -> [RecordedDecision] {
        try await database.read { try $0.rows(DecisionRows.after, sequence, limit).map(DecisionRows.decision) }
    }

    func account(_ id: UserID) async throws -> StoredAccount? {
        try await database.read { try StoredAccounts.account(id, in: $0) }
    }

    func passkeys(
        addedFrom from: Int64, until: Int64, after last: [UInt8], limit: Int
    ) async throws -> [StoredPasskey] {
        try await database.read {
            try $0.rows(PasskeyRows.added, last, from, until, limit).map(PasskeyRows.passkey)
        }
    }

    func decisions(about id: UserID, after sequence: Int64, limit: Int) async throws -> [RecordedDecision] {
        try await database.read { reading in
            try reading.rows(StoredAccounts.decisions, id.bytes, sequence, limit).map(DecisionRows.decision)
        }
    }

    func restoredIdentities(limit: Int) async throws -> [RestoredIdentity] {
        try await database.read { try RestoredIdentityRows.all(limit: limit, in: $0) }
    }

    func pendingChanges(dueAt now: Int64, limit: Int) async throws -> [PendingChange] {
        try await database.read { try $0.rows(PendingRows.due, now, limit).map(PendingRows.change) }
    }

    func pendingChanges(of user: UserID) async throws -> [PendingChange] {
        try await database.read { try $0.rows(PendingRows.ofUser, user.bytes).map(PendingRows.change) }
    }

    func reviews(behind last: UserID?, limit: Int) async throws -> [AccountReview] {
        try await database.read { try $0.rows(ReviewRows.after, last?.bytes ?? [], limit).map(ReviewRows.review) }
    }

    func clients() async throws -> [APIClient] {
        try await database.read { try $0.rows(ClientRows.all).map(ClientRows.client) }
    }

    func audit(
        _ request: AuditRequest, of subject: Pseudonym?
    ) async throws -> (records: [RecordedAuditEntry], next: Int64?) {
        let scan = AuditScan(
            before: request.before, since: request.since ?? .min, until: request.until ?? .max, limit: request.limit)
        return try await database.read { reading in
            let (rows, next) = try scan.rows(
                AuditRows.columns, where: [("event", request.event), ("subject", subject.map(\.bytes))], in: reading)
            return (rows.map(Self.recorded), next)
        }
    }

    func auditTail(
        after places: [Int64: Int64], limit: Int
    ) async throws -> [(slot: Int64, record: RecordedAuditEntry)] {
        try await database.read { reading in
            try AuditTail(after: places, limit: limit).records(AuditRows.columns, in: reading) {
                (slot: $0, record: Self.recorded($1))
            }
        }
    }
}

// MARK: - Rows

extension Users {
    static let numbers: SQL = """
        SELECT value, user_id FROM identities WHERE kind = 'phone' AND value >= $1 AND value < $2
        UNION ALL
        SELECT value, NULL FROM (
            SELECT value FROM invitations WHERE kind = 'phone' AND expires_at > $3
            UNION SELECT number FROM pending_changes WHERE number IS NOT NULL
        ) AS awaited WHERE value >= $1 AND value < $2
        ORDER BY value LIMIT $4
        """

    /// Both statements read the users from the beginning of the page on, however many precede it.
    static let newestUsers = seen("true ORDER BY u.id DESC LIMIT $1")
    private static let usersAfter = seen("true ORDER BY u.id DESC LIMIT $1 OFFSET $2")
    static let olderUsers = seen("u.id < $2 ORDER BY u.id DESC LIMIT $1")

    private static let seenByIdentity = seen(
        "u.id = (SELECT user_id FROM identities WHERE kind = $1 AND value = $2)")

    /// The expression for the last sign-in of a user, also with a passkey; NULL if there was none.
    static let lastUse = """
        nullif(greatest((SELECT coalesce(max(last_used_at), 0) FROM identities WHERE user_id = u.id),
            (SELECT coalesce(max(last_used_at), 0) FROM passkeys WHERE user_id = u.id)), \(IdentityRows.never))
        """

    /// Returns the statement for users with the time of their last sign-in.
    static func seen(_ condition: String) -> SQL {
        """
        SELECT \(UserRows.columns),
            \(lastUse)
        FROM users AS u WHERE \(condition)
        """
    }

    private static func recorded(_ row: Row) -> RecordedAuditEntry {
        RecordedAuditEntry(
            number: row.integer(0), at: row.integer(1), event: row.text(2),
            subject: Pseudonym(bytes: row.bytes(3)) ?? .zero,
            origin: RequestOrigin(
                requestID: row.optionalText(6), sessionID: row.optionalText(5), method: row.optionalText(4)),
            detail: row.optionalText(7))
    }
}

import GRDB
import InternalAPI
import SQLiteStore
import UserCore

extension SQLiteUserStore: UserQueries {
    func user(_ id: UserID) async throws -> User? {
        try await database.read { try UserRows(database: $0).user(id) }
    }

    func find(_ key: UserKey) async throws -> SeenUser? {
        try await database.read { database in
            let id: UserID? =
                switch key {
                case .id(let id): id
                case .identity(let identity): try IdentityRows(database: database).holder(of: identity)
                case .legacyID(let text): try UserRows(database: database).holder(ofLegacyID: text)
                }
            return try id.flatMap { try Self.see($0, in: database) }
        }
    }

    func page(behind last: UserID?, limit: Int) async throws -> [SeenUser] {
        try await database.read { database in
            let statement = try database.cachedStatement(sql: last == nil ? Self.newestIDs : Self.olderIDs)
            let arguments: StatementArguments = last.map { [$0, limit] } ?? [limit]
            return try UserID.fetchAll(statement, arguments: arguments).compactMap { try Self.see($0, in: database) }
        }
    }

    func counts() async throws -> UserCounts {
        try await database.read { database in
            let row = try database.row(
                """
                SELECT count(*), coalesce(sum(NOT is_active), 0), count(deletion_due_at),
                    coalesce(sum(is_for_review), 0) FROM users
                """, [])
            guard let row else { return UserCounts(users: 0, inactive: 0, scheduled: 0, reviewers: 0) }
            return UserCounts(users: row[0], inactive: row[1], scheduled: row[2], reviewers: row[3])
        }
    }

    func isOwned(_ identity: ProvedIdentity) async throws -> Bool {
        try await database.read { database in
            let holder = try IdentityRows(database: database).holder(of: identity)
            return try holder.flatMap(UserRows(database: database).user).map { !$0.isForReview } ?? false
        }
    }

    func invitation(of identity: ProvedIdentity, now: Int64) async throws -> Invitation? {
        try await database.read { try AccountRows(database: $0).invitation(of: identity, openAt: now) }
    }

    func invitations(limit: Int, now: Int64) async throws -> [Invitation] {
        try await database.read { try AccountRows(database: $0).invitations(openAt: now, limit: limit) }
    }

    func numbers(prefix: String, after last: String?, limit: Int, now: Int64) async throws -> [HeldNumber] {
        try await database.read { database in
            try database.rows(
                Self.numbers,
                // Only digits follow a prefix, and `:` comes after `9` in ASCII.
                ["prefix": prefix, "end": prefix + ":", "last": last ?? "", "now": now, "limit": limit]
            ).map { HeldNumber(number: try $0.decode(atIndex: 0), user: try $0.decode(atIndex: 1)) }
        }
    }

    func removed(behind last: UserID?, limit: Int) async throws -> [UserID] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT id FROM removed_users WHERE ?1 IS NULL OR id > ?1 ORDER BY id LIMIT ?2")
            return try UserID.fetchAll(statement, arguments: [last, limit])
        }
    }

    func decisions(after sequence: Int64, limit: Int) async throws -> [RecordedDecision] {
        try await database.read { try DecisionRows(database: $0).decisions(after: sequence, limit: limit) }
    }

    /// Both statements read the ids from the beginning of the page on, however many users precede it.
    static let newestIDs = "SELECT id FROM users ORDER BY id DESC LIMIT ?"
    static let olderIDs = "SELECT id FROM users WHERE id < ? ORDER BY id DESC LIMIT ?"

    private static let numbers = """
        SELECT value, user_id FROM identities
            WHERE kind = 'phone' AND value >= :prefix AND value < :end AND value > :last
        UNION ALL
        SELECT value, NULL FROM invitations
            WHERE kind = 'phone' AND value >= :prefix AND value < :end AND value > :last AND expires_at > :now
        ORDER BY value LIMIT :limit
        """

    private static func see(_ id: UserID, in database: Database) throws -> SeenUser? {
        guard let user = try UserRows(database: database).user(id) else { return nil }
        let identities = IdentityRows(database: database)
        return SeenUser(
            user: user, lastSignInAt: try identities.lastUse(by: id), identities: try identities.atProviders(of: id))
    }
}

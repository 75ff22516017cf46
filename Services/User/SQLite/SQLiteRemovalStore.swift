import GRDB
import SQLiteStore
import Storage
import UserCore

/// Removals in `users.sqlite`, by one replica at a time.
struct SQLiteRemovalStore: RemovalStore {
    let database: SQLiteDatabase

    func due(limit: Int, now: Int64) async throws -> [DueUser] {
        try await database.read { database in
            let ids = try UserID.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id FROM users WHERE deletion_due_at <= ? ORDER BY deletion_due_at LIMIT ?"),
                arguments: [now, limit])
            let proofs = try Self.proofs(of: ids, in: database)
            let identities = IdentityRows(database: database)
            return try ids.compactMap { id in
                try UserRows(database: database).user(id).map {
                    DueUser(
                        user: $0, proofIDs: proofs[id] ?? [], identitiesAtProviders: try identities.atProviders(of: id))
                }
            }
        }
    }

    func firstDueAt() async throws -> Int64? {
        try await database.read { database in
            try database.value("SELECT min(deletion_due_at) FROM users WHERE deletion_due_at IS NOT NULL", [])
        }
    }

    func remove(
        _ due: DueUser, messages: [OutboxMessage], notes: [FirstAnswer], lease: Lease, now: Int64
    ) async throws -> RemovalOutcome {
        try await database.write { database in
            guard try lease.take(now: now, in: database) else { return .notOurTurn }
            guard let deletion = due.user.deletion, deletion.dueAt <= now,
                try UserRows(database: database).user(due.user.id) == due.user
            else { return .notDue }
            try RemovalRows(database: database).remove(
                due.user, proofIDs: due.proofIDs, messages: messages, now: now)
            for note in notes { try AccountRows(database: database).insert(note) }
            return .removed
        }
    }

    /// Returns the ids of proofs that led to users. Their table has no index by user, so it is read whole, once for all users
    /// and without blocking the writer.
    private static func proofs(of users: [UserID], in database: Database) throws -> [UserID: [String]] {
        guard !users.isEmpty else { return [:] }
        let places = users.map { _ in "?" }.joined(separator: ", ")
        let rows = try Row.fetchAll(
            database, sql: "SELECT user_id, attestation_id FROM resolutions WHERE user_id IN (\(places))",
            arguments: StatementArguments(users))
        return try Dictionary(grouping: rows) { try $0.decode(atIndex: 0) }.mapValues { $0.map { $0[1] as String } }
    }
}

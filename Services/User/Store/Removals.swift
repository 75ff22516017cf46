import InternalAPI
import Storage
import UserCore
import UserEvents

/// Removals of users, by one replica at a time.
struct Removals: RemovalStore {
    let database: any StorageDatabase
    /// Whether removals add events for the app's back end.
    var writesEvents = false

    func due(limit: Int, now: Int64) async throws -> [DueUser] {
        try await database.read { reading in
            let users = try reading.rows(
                """
                SELECT \(UserRows.columns) FROM users AS u WHERE u.deletion_due_at <= $1
                ORDER BY u.deletion_due_at LIMIT $2
                """, now, limit
            ).compactMap(UserRows.user)
            guard !users.isEmpty else { return [] }
            // Their table has no index by user, so it is read whole, once for all users.
            let proofs = try reading.rows(
                "SELECT user_id, attestation_id FROM resolutions WHERE user_id IN (\(SQL.places(count: users.count)))",
                users.map(\.id.bytes))
            let proofIDs = Dictionary(grouping: proofs) { $0.bytes(0) }
            let identities = try Users.identitiesAtProviders(of: users.map(\.id), in: reading)
            let merged = try reading.results(users.map { Statement(MergedRows.intoUser, $0.id.bytes) })
            return try zip(users, zip(identities, merged)).map { user, rows in
                DueUser(
                    user: user, proofIDs: (proofIDs[user.id.bytes] ?? []).map { $0.text(1) },
                    identitiesAtProviders: rows.0, merged: try rows.1.map(MergedRows.merged))
            }
        }
    }

    func firstDueAt() async throws -> Int64? {
        try await database.read { reading in
            try reading.rows("SELECT min(deletion_due_at) FROM users WHERE deletion_due_at IS NOT NULL")
                .first?.optionalInteger(0)
        }
    }

    func remove(
        _ due: DueUser, messages: [OutboxMessage], notes: [FirstAnswer], lease: Lease, now: Int64
    ) async throws -> RemovalOutcome {
        try await database.write { transaction in
            let id = due.user.id
            transaction.lock(Locks.of(id))
            guard try lease.take(now: now, in: transaction) else { return .notOurTurn }
            let rows = try transaction.results([
                Statement(UserRows.byID, id.bytes), Statement(AppleTokenRows.ofUser, id.bytes),
            ])
            let present = try rows.first?.first.flatMap(UserRows.user)
            guard let deletion = due.user.deletion, deletion.dueAt <= now, present == due.user else { return .notDue }
            let revocations = rows.last?.map { AppleTokenRows.token($0, from: 0, of: id).revocation } ?? []
            try RemovalRows.remove(due, messages: messages + revocations, now: now, in: transaction)
            for note in notes { try AccountRows.insert(note, in: transaction) }
            if writesEvents { try EventRows.insert([UserEvent(.deleted, of: id.bytes)], now: now, in: transaction) }
            return .removed
        }
    }
}

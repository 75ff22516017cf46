import PostgreSQL
import Storage
import UserCore

/// Users, shared with the replicas on all hosts.
struct PostgresUserStore: UserStore {
    let database: PostgreSQLDatabase

    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] {
        try await database.read { try Facts(reader: $0)(questions) }
    }

    func confirm() async throws { try await database.confirm() }

    /// Reads the facts again under their locks. They came from several statements, between which another replica may have written.
    func confirm(_ facts: [UserFacts]) async throws -> Applied { try await apply([], on: facts, now: 0) }

    /// Writes changes if the facts still apply. Rows have no version number that every change raises, so the facts are read again
    /// and compared completely, under locks on all users and identities in them.
    func apply(_ changes: [UserChange], on facts: [UserFacts], now: Int64) async throws -> Applied {
        try await database.write { transaction in
            transaction.lock(Locks.of(changes, on: facts))
            if !facts.isEmpty {
                guard try Facts(reader: transaction)(facts.map(\.question)) == facts else { return .stale }
            }
            let writer = Changes(transaction: transaction, now: now)
            for change in changes { try writer.write(change) }
            return .applied
        }
    }
}

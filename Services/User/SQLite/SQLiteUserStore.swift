import GRDB
import SQLiteStore
import Storage
import UserCore

/// Users in `users.sqlite`.
struct SQLiteUserStore: UserStore {
    let database: SQLiteDatabase

    /// On the writer's connection: a write follows nearly always.
    func facts(_ question: UserQuestion) async throws -> UserFacts {
        try await database.readOnWriter { try Facts(database: $0)(question) }
    }

    /// No row has a number that every change raises, so the facts are read again and compared whole.
    func apply(_ changes: [UserChange], on facts: UserFacts, now: Int64) async throws -> Applied {
        try await database.write { database in
            guard try Facts(database: database)(facts.question) == facts else { return .stale }
            for change in changes { try Changes(database: database, now: now).write(change) }
            return .applied
        }
    }

    func note(_ changes: [UserChange], now: Int64) async throws {
        try await database.write { database in
            for change in changes { try Changes(database: database, now: now).write(change) }
        }
    }
}

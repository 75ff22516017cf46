import GRDB
import SQLiteStore
import Storage
import UserCore

/// Users in `users.sqlite`.
struct SQLiteUserStore: UserStore {
    let database: SQLiteDatabase

    /// On the writer's connection: a write follows nearly always.
    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] {
        try await database.readOnWriter { try questions.map(Facts(database: $0).callAsFunction) }
    }

    /// No row has a number that every change raises, so the facts are read again and compared whole.
    func apply(_ changes: [UserChange], on facts: [UserFacts], now: Int64) async throws -> Applied {
        try await database.write { database in
            let read = Facts(database: database)
            for known in facts where try read(known.question) != known { return .stale }
            for change in changes { try Changes(database: database, now: now).write(change) }
            return .applied
        }
    }
}

import GRDB
import SQLiteStore
import Storage
import UserCore

/// Users in `users.sqlite`.
struct SQLiteUserStore: UserStore {
    let database: SQLiteDatabase

    /// One question is read on the writer's connection, since a write follows nearly always. A batch would hold up the sign-ins
    /// there, and is read beside them.
    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] {
        let read = { @Sendable (database: Database) in try questions.map(Facts(database: database).callAsFunction) }
        return try await questions.count == 1 ? database.readOnWriter(read) : database.read(read)
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

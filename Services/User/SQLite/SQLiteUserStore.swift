import GRDB
import SQLiteStore
import Storage
import UserCore

/// Users in `users.sqlite`.
struct SQLiteUserStore: UserStore {
    let database: SQLiteDatabase

    /// Reads facts. One query uses the writer's connection, since a write nearly always follows. Several queries would delay
    /// sign-ins there, and use another connection.
    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] {
        let read = { @Sendable (database: Database) in try questions.map(Facts(database: database).callAsFunction) }
        return try await questions.count == 1 ? database.readOnWriter(read) : database.read(read)
    }

    /// Writes changes if the facts still apply. Rows have no version number that every change raises, so the facts are read again
    /// and compared completely.
    func apply(_ changes: [UserChange], on facts: [UserFacts], now: Int64) async throws -> Applied {
        try await database.write { database in
            let read = Facts(database: database)
            for known in facts where try read(known.question) != known { return .stale }
            for change in changes { try Changes(database: database, now: now).write(change) }
            return .applied
        }
    }
}

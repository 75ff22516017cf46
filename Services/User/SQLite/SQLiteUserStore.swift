import GRDB
import SQLiteStore
import Storage
import UserCore

/// Users in `users.sqlite`.
struct SQLiteUserStore: UserStore {
    let database: SQLiteDatabase

    func user(_ id: UserID) async throws -> User? {
        try await database.read { try UserRows(database: $0).user(id) }
    }

    func apply(_ changes: UserChanges, to user: User, now: Int64) async throws -> Applied {
        try await database.write { database in
            let (rows, outbox) = (UserRows(database: database), OutboxRows(database: database))
            guard try rows.user(user.id) == user else { return .stale }
            try rows.update(changes.user)
            try AuditRows(database: database).append(changes.audit, now: now)
            for message in changes.messages {
                try outbox.insert(message, about: user.id, dueAt: changes.messagesDueAt, now: now)
            }
            return .applied
        }
    }
}

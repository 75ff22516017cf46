internal import Foundation
internal import GRDB
internal import SQLiteStore

/// Reads and writes rows of `users`; every function runs inside the caller's transaction.
struct UserRows {
    let database: Database

    private static let select = """
        SELECT users.*,
            (SELECT value FROM identities WHERE user_id = users.id AND kind = 'phone'
                ORDER BY created_at LIMIT 1) AS phone
        FROM users
        """

    func user(_ id: UserID) throws -> User? {
        try Row.fetchOne(
            database.cachedStatement(sql: Self.select + " WHERE id = ?"), arguments: [Data(id.bytes)]
        ).map(Self.user)
    }

    func insert(_ user: User) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO users (id, pseudonym, name, email, is_checker, role, is_active, epoch, version,
                    created_at, updated_at, deletion_requested_at, deletion_due_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [Data(user.id.bytes), Data(user.pseudonym.bytes), user.name, user.email, user.isChecker]
                + [user.role, user.isActive, user.epoch, user.version, user.createdAt, user.updatedAt]
                + [user.deletion?.requestedAt, user.deletion?.dueAt])
    }

    /// Writes everything of `user` that can change; the phone stands in `identities`.
    func update(_ user: User) throws {
        try database.cachedStatement(
            sql: """
                UPDATE users SET name = ?, email = ?, is_checker = ?, role = ?, is_active = ?, epoch = ?, version = ?,
                    updated_at = ?, deletion_requested_at = ?, deletion_due_at = ?
                WHERE id = ?
                """
        ).execute(
            arguments: [user.name, user.email, user.isChecker, user.role, user.isActive, user.epoch, user.version]
                + [user.updatedAt, user.deletion?.requestedAt, user.deletion?.dueAt, Data(user.id.bytes)])
    }

    /// Throws instead of trapping on a damaged row.
    private static func user(_ row: Row) throws -> User {
        guard let id = UserID(bytes: Array(try row.decode(Data.self, forColumn: "id"))),
            let pseudonym = Pseudonym(bytes: Array(try row.decode(Data.self, forColumn: "pseudonym")))
        else { throw SQLiteError(.corrupt, "a user's id has not 16 bytes") }
        return User(
            id: id, pseudonym: pseudonym, phone: try row.decode(String?.self, forColumn: "phone"),
            email: try row.decode(String?.self, forColumn: "email"),
            name: try row.decode(String?.self, forColumn: "name"),
            isChecker: try row.decode(Bool.self, forColumn: "is_checker"),
            role: try row.decode(String.self, forColumn: "role"),
            isActive: try row.decode(Bool.self, forColumn: "is_active"),
            epoch: try row.decode(Int64.self, forColumn: "epoch"),
            version: try row.decode(Int64.self, forColumn: "version"),
            createdAt: try row.decode(Int64.self, forColumn: "created_at"),
            updatedAt: try row.decode(Int64.self, forColumn: "updated_at"), deletion: try deletion(row))
    }

    private static func deletion(_ row: Row) throws -> ScheduledDeletion? {
        guard let requestedAt = try row.decode(Int64?.self, forColumn: "deletion_requested_at"),
            let dueAt = try row.decode(Int64?.self, forColumn: "deletion_due_at")
        else { return nil }
        return ScheduledDeletion(requestedAt: requestedAt, dueAt: dueAt)
    }
}

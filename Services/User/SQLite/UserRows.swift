internal import AuthAPI
internal import Foundation
internal import GRDB
internal import SQLiteStore
internal import Storage
internal import StrictJSON
internal import UserCore

/// Reads and writes rows of `users`; every function runs inside the caller's transaction.
struct UserRows {
    let database: Database

    static let byID = """
        SELECT id, pseudonym, name, email, attributes, role, is_active, epoch, version, created_at, updated_at,
            deletion_requested_at, deletion_due_at,
            (SELECT value FROM identities WHERE user_id = users.id AND kind = 'phone' ORDER BY created_at LIMIT 1)
        FROM users WHERE id = ?
        """

    func user(_ id: UserID) throws -> User? {
        try database.cachedStatement(sql: Self.byID).first([Data(id.bytes)], Self.user)
    }

    /// `is_checker` follows `attributes` by itself (`UserSchema`), but has no default.
    func insert(_ user: User) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO users (id, pseudonym, name, email, is_checker, attributes, role, is_active, epoch, version,
                    created_at, updated_at, deletion_requested_at, deletion_due_at)
                VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                Data(user.id.bytes), Data(user.pseudonym.bytes), user.name, user.email, try Self.text(user.attributes),
                user.role, user.isActive, user.epoch, user.version, user.createdAt, user.updatedAt,
                user.deletion?.requestedAt,
                user.deletion?.dueAt,
            ])
    }

    /// Writes everything of `user` that can change; the phone stands in `identities`.
    func update(_ user: User) throws {
        try database.cachedStatement(
            sql: """
                UPDATE users SET name = ?, email = ?, attributes = ?, role = ?, is_active = ?, epoch = ?, version = ?,
                    updated_at = ?, deletion_requested_at = ?, deletion_due_at = ?
                WHERE id = ?
                """
        ).execute(
            arguments: [
                user.name, user.email, try Self.text(user.attributes), user.role, user.isActive, user.epoch,
                user.version, user.updatedAt, user.deletion?.requestedAt, user.deletion?.dueAt, Data(user.id.bytes),
            ])
    }

    /// The user of a row of `byID`.
    private static func user(_ row: StatementColumns) throws -> User {
        guard let id = UserID(bytes: row.bytes(0)), let pseudonym = Pseudonym(bytes: row.bytes(1)) else {
            throw StorageError(.corrupt, "a user's id has not 16 bytes")
        }
        return User(
            id: id, pseudonym: pseudonym, phone: row.value(13), email: row.value(3), name: row.value(2),
            attributes: try attributes(row.text(4)), role: row.text(5), isActive: row.integer(6) != 0,
            epoch: row.integer(7),
            version: row.integer(8), createdAt: row.integer(9), updatedAt: row.integer(10), deletion: deletion(row))
    }

    /// Its members in the order of their names.
    private static func text(_ attributes: UserAttributes) throws -> String {
        String(decoding: try StrictJSON.encode(attributes), as: UTF8.self)
    }

    private static func attributes(_ text: String) throws -> UserAttributes {
        do {
            return try StrictJSON.decode(UserAttributes.self, from: Array(text.utf8), limits: .own)
        } catch {
            throw StorageError(.corrupt, "a user's attributes do not decode: \(error)")
        }
    }

    private static func deletion(_ row: StatementColumns) -> ScheduledDeletion? {
        guard let requestedAt: Int64 = row.value(11), let dueAt: Int64 = row.value(12) else { return nil }
        return ScheduledDeletion(requestedAt: requestedAt, dueAt: dueAt)
    }
}

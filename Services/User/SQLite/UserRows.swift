import AuthAPI
import Foundation
import GRDB
import SQLiteStore
import Storage
import StrictJSON
import UserCore

/// Reads and writes rows of `users`; every function runs inside the caller's transaction.
struct UserRows {
    let database: Database

    /// The columns of a user. `phone` and `email` are read from `identities`.
    enum Column: CInt, StatementColumn {
        case id, pseudonym, phone, name, email, attributes, role, isActive, epoch, version, createdAt, updatedAt
        case deletionRequestedAt, deletionDueAt, isForReview, legacyID

        var sql: String {
            guard self == .phone || self == .email else { return snakeCaseName }
            return """
                (SELECT value FROM identities WHERE user_id = users.id AND kind = '\(snakeCaseName)' \
                ORDER BY created_at LIMIT 1)
                """
        }
    }

    static let byID = "SELECT \(Column.list) FROM users WHERE id = ?"

    func user(_ id: UserID) throws -> User? {
        try database.cachedStatement(sql: Self.byID).first([id], Self.user)
    }

    /// Returns the user who had this id in another system.
    func holder(ofLegacyID legacyID: String) throws -> UserID? {
        try database.value("SELECT id FROM users WHERE legacy_id = ?", [legacyID])
    }

    func insert(_ user: User) throws {
        try database.run(
            """
            INSERT INTO users (id, pseudonym, name, attributes, role, is_active, epoch, version,
                created_at, updated_at, deletion_requested_at, deletion_due_at, is_for_review, legacy_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                user.id, Data(user.pseudonym.bytes), user.name, try Self.text(user.attributes), user.role,
                user.isActive, user.epoch, user.version, user.createdAt, user.updatedAt, user.deletion?.requestedAt,
                user.deletion?.dueAt, user.isForReview, user.legacyID,
            ])
    }

    /// Writes everything of `user` that can change. Phone number and email address are in `identities`.
    func update(_ user: User) throws {
        try database.run(
            """
            UPDATE users SET name = ?, attributes = ?, role = ?, is_active = ?, epoch = ?, version = ?,
                updated_at = ?, deletion_requested_at = ?, deletion_due_at = ?
            WHERE id = ?
            """,
            [
                user.name, try Self.text(user.attributes), user.role, user.isActive, user.epoch, user.version,
                user.updatedAt, user.deletion?.requestedAt, user.deletion?.dueAt, user.id,
            ])
    }

    /// Reads the user in a row of `byID`.
    private static func user(_ row: StatementColumns<Column>) throws -> User {
        guard let id: UserID = row.value(.id), let pseudonym = Pseudonym(bytes: row.bytes(.pseudonym)) else {
            throw StorageError(.corrupt, "a user's id does not have 16 bytes")
        }
        return User(
            id: id, pseudonym: pseudonym, phone: row.value(.phone), email: row.value(.email), name: row.value(.name),
            attributes: try attributes(row.text(.attributes)), role: row.text(.role),
            isActive: row.integer(.isActive) != 0,
            epoch: row.integer(.epoch),
            version: row.integer(.version), createdAt: row.integer(.createdAt), updatedAt: row.integer(.updatedAt),
            isForReview: row.integer(.isForReview) != 0, deletion: deletion(row), legacyID: row.value(.legacyID))
    }

    /// Encodes attributes as JSON, with the members in the order of their names.
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

    private static func deletion(_ row: StatementColumns<Column>) -> ScheduledDeletion? {
        guard let requestedAt: Int64 = row.value(.deletionRequestedAt), let dueAt: Int64 = row.value(.deletionDueAt)
        else { return nil }
        return ScheduledDeletion(requestedAt: requestedAt, dueAt: dueAt)
    }
}

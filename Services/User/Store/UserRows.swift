import AuthAPI
import InternalAPI
import Storage
import StrictJSON
import UserCore

/// Reads and writes rows of `users`.
enum UserRows {
    /// The columns of a user. `phone` and `email` are read from `identities`.
    enum Column: Int, SelectedColumn {
        case id, pseudonym, phone, name, email, attributes, role, isActive, epoch, version, createdAt, updatedAt
        case deletionRequestedAt, deletionDueAt, isForReview, legacyID, appMetadata, ownMetadata

        /// The column's expression for a SELECT from `users AS u`.
        fileprivate var expression: String {
            guard self == .phone || self == .email else { return "u.\(sql)" }
            return """
                (SELECT value FROM identities WHERE user_id = u.id AND kind = '\(sql)' ORDER BY created_at LIMIT 1)
                """
        }
    }

    /// The expressions for a SELECT from `users AS u` whose rows `user` reads; other columns come after them.
    static let columns = Column.allCases.map(\.expression).joined(separator: ", ")
    /// The number of columns of a user.
    static let columnCount = Column.allCases.count

    static let byID: SQL = "SELECT \(columns) FROM users AS u WHERE u.id = $1"

    /// Reads the user at the beginning of a row; `nil` if their columns are NULL.
    static func user(_ row: Row) throws -> User? {
        guard let bytes = row.optionalBytes(Column.id) else { return nil }
        guard let id = UserID(bytes: bytes), let pseudonym = Pseudonym(bytes: row.bytes(Column.pseudonym)) else {
            throw StorageError(.corrupt, "a user's id does not have 16 bytes")
        }
        return User(
            id: id, pseudonym: pseudonym, phone: row.optionalText(Column.phone),
            email: row.optionalText(Column.email), name: row.optionalText(Column.name),
            attributes: try attributes(row.bytes(Column.attributes)), role: row.text(Column.role),
            isActive: row.boolean(Column.isActive), epoch: row.integer(Column.epoch),
            version: row.integer(Column.version), createdAt: row.integer(Column.createdAt),
            updatedAt: row.integer(Column.updatedAt), isForReview: row.boolean(Column.isForReview),
            deletion: deletion(row), legacyID: row.optionalText(Column.legacyID), metadata: metadata(row))
    }

    static func insert(_ user: User, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO users (id, pseudonym, name, attributes, role, is_active, epoch, version, created_at, updated_at,
                deletion_requested_at, deletion_due_at, is_for_review, legacy_id, app_metadata, own_metadata)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            """, user.id.bytes, user.pseudonym.bytes, user.name, try text(user.attributes), user.role, user.isActive,
            user.epoch, user.version, user.createdAt, user.updatedAt, user.deletion?.requestedAt,
            user.deletion?.dueAt, user.isForReview, user.legacyID, stored(user.metadata.app), stored(user.metadata.own))
    }

    /// Writes everything of `user` that can change. Phone number and email address are in `identities`.
    static func update(_ user: User, in transaction: any Transaction) throws {
        try transaction.run(
            """
            UPDATE users SET name = $2, attributes = $3, role = $4, is_active = $5, epoch = $6, version = $7,
                updated_at = $8, deletion_requested_at = $9, deletion_due_at = $10, app_metadata = $11, own_metadata = $12
            WHERE id = $1
            """, user.id.bytes, user.name, try text(user.attributes), user.role, user.isActive, user.epoch,
            user.version, user.updatedAt, user.deletion?.requestedAt, user.deletion?.dueAt, stored(user.metadata.app),
            stored(user.metadata.own))
    }

    /// Encodes attributes as JSON, with the members in the order of their names.
    private static func text(_ attributes: UserAttributes) throws -> String {
        String(decoding: try StrictJSON.encode(attributes), as: UTF8.self)
    }

    private static func attributes(_ json: [UInt8]) throws -> UserAttributes {
        do { return try StrictJSON.decode(UserAttributes.self, from: json, limits: .own) } catch {
            throw StorageError(.corrupt, "a user's attributes do not decode: \(error)")
        }
    }

    /// The text of an object, or `nil` for an empty one, which takes no room in the row.
    private static func stored(_ object: MetadataObject) -> String? { object.isEmpty ? nil : object.text }

    private static func metadata(_ row: Row) -> UserMetadata {
        UserMetadata(
            app: row.optionalText(Column.appMetadata).map(MetadataObject.init(stored:)) ?? .empty,
            own: row.optionalText(Column.ownMetadata).map(MetadataObject.init(stored:)) ?? .empty)
    }

    private static func deletion(_ row: Row) -> ScheduledDeletion? {
        guard let requestedAt = row.optionalInteger(Column.deletionRequestedAt),
            let dueAt = row.optionalInteger(Column.deletionDueAt)
        else { return nil }
        return ScheduledDeletion(requestedAt: requestedAt, dueAt: dueAt)
    }
}

extension Row {
    /// Returns the user id in a column.
    func userID(_ column: some ColumnPosition) throws -> UserID {
        guard let id = UserID(bytes: bytes(column)) else {
            throw StorageError(.corrupt, "a user's id does not have 16 bytes")
        }
        return id
    }
}

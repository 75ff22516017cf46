import InternalAPI
import Storage
import UserCore

/// Reads and writes rows of `pending_changes`.
enum PendingRows {
    private static let columns = "id, kind, user_id, other_id, number, payload, created_at, moves_at"

    static let due: SQL = """
        SELECT \(columns) FROM pending_changes WHERE moves_at <= $1 ORDER BY moves_at, id LIMIT $2
        """
    static let ofNumber: SQL = "SELECT \(columns) FROM pending_changes WHERE number = $1"
    static let ofUser: SQL = """
        SELECT \(columns) FROM pending_changes WHERE user_id = $1 OR other_id = $1 ORDER BY created_at, id
        """

    static func change(_ row: Row) throws -> PendingChange {
        guard let kind = PendingChange.Kind(rawValue: row.text(1)) else {
            throw StorageError(.corrupt, "a pending change has an unknown kind")
        }
        return PendingChange(
            id: row.text(0), kind: kind, user: try row.userID(2), other: row.optionalBytes(3).flatMap(UserID.init),
            number: row.optionalText(4), sealed: row.text(5), createdAt: row.integer(6),
            movesAt: row.optionalInteger(7))
    }

    static func insert(_ change: PendingChange, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO pending_changes (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """, change.id, change.kind.rawValue, change.user.bytes, change.other?.bytes, change.number, change.sealed,
            change.createdAt, change.movesAt)
    }

    static func start(_ change: PendingChange, at time: Int64, in transaction: any Transaction) throws {
        try transaction.run(
            "UPDATE pending_changes SET moves_at = $2 WHERE id = $1 AND moves_at IS NULL", change.id, time)
    }

    static func rename(_ change: PendingChange, to number: String, in transaction: any Transaction) throws {
        try transaction.run("UPDATE pending_changes SET number = $2 WHERE id = $1", change.id, number)
    }

    static func end(_ change: PendingChange, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM pending_changes WHERE id = $1", change.id)
    }

    /// - Parameter kind: `nil` for all kinds.
    static func end(of user: UserID, _ kind: PendingChange.Kind?, in transaction: any Transaction) throws {
        let kinds = (kind.map { [$0] } ?? PendingChange.Kind.allCases).map { "'\($0.rawValue)'" }
        try transaction.run(
            SQL(
                "DELETE FROM pending_changes WHERE (user_id = $1 OR other_id = $1) AND kind IN (\(kinds.joined(separator: ", ")))"
            ),
            user.bytes)
    }
}

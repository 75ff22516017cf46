import InternalAPI
import PostgreSQL
import Storage
import UserCore

/// Reads security decisions. Triggers record them, so that no change is without its record.
enum DecisionRows {
    static let after = """
        SELECT sequence, at, kind, subject, detail FROM decisions WHERE sequence > $1 ORDER BY sequence LIMIT $2::bigint
        """

    static func decision(_ row: Row) throws -> RecordedDecision {
        guard let kind = SecurityDecision.Kind(rawValue: row.text(2)) else {
            throw StorageError(.corrupt, "a security decision does not decode")
        }
        return RecordedDecision(
            sequence: row.integer(0), at: row.integer(1), kind: kind, subject: try row.userID(3),
            detail: row.optionalText(4))
    }
}

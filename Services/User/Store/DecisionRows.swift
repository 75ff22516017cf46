import CryptoPrimitives
import InternalAPI
import Storage
import UserCore

/// Reads and records security decisions, in the transaction of the change, so that no change is without its record.
enum DecisionRows {
    static let after: SQL = """
        SELECT sequence, at, kind, subject, detail FROM decisions WHERE sequence > $1 ORDER BY sequence LIMIT $2
        """

    /// Selects the time of a user's last loss of a passkey that was no restore key.
    static let passkeyLost: SQL = """
        SELECT max(at) FROM decisions WHERE subject = $1 AND kind = '\(SecurityDecision.Kind.passkeyLost.rawValue)'
            AND detail NOT LIKE '%/\(PasskeyKind.restore.rawValue)'
        """

    /// Returns what names a lost passkey: its id, and the kind of a restore key.
    static func lostPasskey(_ passkey: StoredPasskey) -> String {
        Hex.encode(passkey.id) + (passkey.kind == .restore ? "/\(passkey.kind.rawValue)" : "")
    }

    static func decision(_ row: Row) throws -> RecordedDecision {
        guard let kind = SecurityDecision.Kind(rawValue: row.text(2)) else {
            throw StorageError(.corrupt, "a security decision does not decode")
        }
        return RecordedDecision(
            sequence: row.integer(0), at: row.integer(1), kind: kind, subject: try row.userID(3),
            detail: row.optionalText(4))
    }

    /// Records a decision. The transaction has the count until its COMMIT, so that decisions become visible in their order.
    static func record(
        _ kind: SecurityDecision.Kind, of subject: UserID, _ detail: String? = nil, at now: Int64,
        in transaction: any Transaction
    ) throws {
        try transaction.run("UPDATE decision_count SET last = last + 1")
        try transaction.run(
            """
            INSERT INTO decisions (sequence, at, kind, subject, detail)
            VALUES ((SELECT last FROM decision_count), $1, $2, $3, $4)
            """, now, kind.rawValue, subject.bytes, detail)
    }

    /// Returns what names a lost identity: the values do not, since they are data of a person.
    static func lostIdentity(kind: String, createdAt: Int64) -> String { "\(kind)/\(createdAt)" }

    /// Returns what names an added identity, whose value only user-service can open.
    static func addedIdentity(kind: String, createdAt: Int64, sealed: String) -> String {
        "\(kind)/\(createdAt)/\(sealed)"
    }
}

import InternalAPI
import Storage
import UserCore
import WebAuthn

/// Reads and writes rows of `passkeys`.
enum PasskeyRows {
    static let columns = """
        key, credential_id, id, user_id, user_handle, kind, public_key, sign_count, flags, aaguid, transports, name, epoch,
        active_from, created_at, last_used_at
        """
    static let byKey: SQL = "SELECT \(columns) FROM passkeys WHERE key = $1"
    static let ofUser: SQL = "SELECT \(columns) FROM passkeys WHERE user_id = $1 ORDER BY created_at, key"
    /// Selects the passkeys that were added in a span of time, in the order of their keys. It reads the whole table, for the operator.
    static let added: SQL = """
        SELECT \(columns) FROM passkeys WHERE key > $1 AND created_at >= $2 AND created_at <= $3 ORDER BY key LIMIT $4
        """

    /// The bits of the column `flags`, which are those of authenticator data (L3 §6.1).
    private static let userVerified: Int64 = 0x04
    private static let backupEligible: Int64 = 0x08
    private static let backedUp: Int64 = 0x10

    private static func flags(_ record: CredentialRecord) -> Int64 {
        (record.isUserVerified ? userVerified : 0) | (record.isBackupEligible ? backupEligible : 0)
            | (record.isBackedUp ? backedUp : 0)
    }

    static func passkey(_ row: Row) throws -> StoredPasskey {
        guard let kind = PasskeyKind(rawValue: row.text(5)), let count = UInt32(exactly: row.integer(7)) else {
            throw StorageError(.corrupt, "a passkey does not decode")
        }
        let flags = row.integer(8)
        return StoredPasskey(
            id: row.bytes(2), user: try row.userID(3), kind: kind, name: row.text(11),
            record: CredentialRecord(
                id: row.bytes(1), userHandle: row.bytes(4), publicKey: row.bytes(6), aaguid: row.bytes(9),
                signCount: count, isUserVerified: flags & userVerified != 0,
                isBackupEligible: flags & backupEligible != 0, isBackedUp: flags & backedUp != 0),
            transports: row.integer(10), epoch: row.integer(12), activeFrom: row.integer(13),
            createdAt: row.integer(14), lastUsedAt: row.optionalInteger(15))
    }

    static func insert(_ passkey: StoredPasskey, in transaction: any Transaction) throws {
        let record = passkey.record
        try transaction.run(
            """
            INSERT INTO passkeys (\(columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            """, passkey.key, record.id, passkey.id, passkey.user.bytes, record.userHandle, passkey.kind.rawValue,
            record.publicKey, Int64(record.signCount), flags(record), record.aaguid, passkey.transports, passkey.name,
            passkey.epoch, passkey.activeFrom, passkey.createdAt, passkey.lastUsedAt)
    }

    static func rename(_ passkey: StoredPasskey, in transaction: any Transaction) throws {
        try transaction.run("UPDATE passkeys SET name = $2 WHERE key = $1", passkey.key, passkey.name)
    }

    static func noteUse(_ passkey: StoredPasskey, in transaction: any Transaction) throws {
        try transaction.run(
            "UPDATE passkeys SET sign_count = greatest(sign_count, $2), flags = $3, last_used_at = $4 WHERE key = $1",
            passkey.key, Int64(passkey.record.signCount), flags(passkey.record), passkey.lastUsedAt)
    }

    static func end(_ passkey: StoredPasskey, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM passkeys WHERE key = $1", passkey.key)
    }

    static let waiting: SQL = "SELECT \(columns) FROM passkeys WHERE user_id = $1 AND active_from > $2"

    static func endWaiting(of user: UserID, now: Int64, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM passkeys WHERE user_id = $1 AND active_from > $2", user.bytes, now)
    }

    /// How many seconds the passkeys of a merged user wait if the other has one. A thief of the other's phone number could bring their own.
    private static let moveWaitSeconds: Int64 = 86_400

    /// Gives the passkeys of a merged user to the other. Restore keys go with the epoch that they belong to.
    static func move(from user: UserID, to other: UserID, now: Int64, in transaction: any Transaction) throws {
        let waits = !(try transaction.rows("SELECT 1 FROM passkeys WHERE user_id = $1 LIMIT 1", other.bytes)).isEmpty
        try transaction.run(
            "DELETE FROM passkeys WHERE user_id = $1 AND kind = $2", user.bytes, PasskeyKind.restore.rawValue)
        try transaction.run(
            "UPDATE passkeys SET user_id = $2, active_from = greatest(active_from, $3) WHERE user_id = $1", user.bytes,
            other.bytes, waits ? now + moveWaitSeconds : 0)
    }

    /// Returns the statement that removes a passkey of a restored database, also if its user was merged into another there; a row
    /// results if it was there.
    static func removal(_ id: [UInt8], of user: UserID) -> Statement {
        Statement(
            """
            DELETE FROM passkeys WHERE id = $2
                AND (user_id = $1 OR user_id IN (SELECT into_user FROM merged_users WHERE id = $1)) RETURNING 1
            """, user.bytes, id)
    }
}

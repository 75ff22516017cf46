import CryptoPrimitives
import InternalAPI
import Storage
import UserCore

/// Reads and writes rows of `totp` and `recovery_codes`.
enum SecondFactorRows {
    private static let columns = """
        t.secret, t.last_step, t.activated_at, coalesce(t.required, false), coalesce(t.wrong_count, 0),
            coalesce(t.guessed_at, 0), (
                SELECT count(*) FROM passkeys AS k
                WHERE k.user_id = u.id AND k.kind = '\(PasskeyKind.passkey.rawValue)' AND k.active_from <= $1)
        """

    static let byUser: SQL = "SELECT \(columns) FROM users AS u LEFT JOIN totp AS t ON t.user_id = u.id WHERE u.id = $2"
    static let byIdentity: SQL = """
        SELECT \(columns) FROM identities AS i JOIN users AS u ON u.id = i.user_id LEFT JOIN totp AS t ON t.user_id = u.id
        WHERE i.kind = $2 AND i.value = $3
        """
    static let byPasskey: SQL = """
        SELECT \(columns) FROM users AS u LEFT JOIN totp AS t ON t.user_id = u.id
        WHERE u.id = (SELECT user_id FROM passkeys WHERE key = $2)
        """
    static let codes: SQL = "SELECT code, used_at FROM recovery_codes WHERE user_id = $1"

    /// - Returns: `nil` if it was not read.
    static func factor(_ rows: Rows?, codes: Rows?) -> SecondFactor? {
        var factor = rows?.first.map(factor)
        factor?.codes = codes?.map(code) ?? []
        return factor
    }

    private static func factor(_ row: Row) -> SecondFactor {
        SecondFactor(
            sealedSecret: row.optionalBytes(0), lastStep: row.optionalInteger(1), activatedAt: row.optionalInteger(2),
            isRequired: row.boolean(3), wrongCount: row.integer(4), guessedAt: row.integer(5),
            passkeyCount: row.integer(6))
    }

    private static func code(_ row: Row) -> StoredRecoveryCode {
        StoredRecoveryCode(tag: row.bytes(0), usedAt: row.optionalInteger(1))
    }

    static func set(_ factor: SecondFactor, of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO totp (user_id, secret, last_step, activated_at, required, wrong_count, guessed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = excluded.last_step,
                activated_at = excluded.activated_at, required = excluded.required,
                wrong_count = excluded.wrong_count, guessed_at = excluded.guessed_at
            """, user.bytes, factor.sealedSecret, factor.lastStep, factor.activatedAt, factor.isRequired,
            factor.wrongCount, factor.guessedAt)
    }

    /// Replaces the recovery codes of a user.
    static func setCodes(_ tags: [[UInt8]], of user: UserID, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM recovery_codes WHERE user_id = $1", user.bytes)
        for tag in tags {
            try transaction.run("INSERT INTO recovery_codes (user_id, code) VALUES ($1, $2)", user.bytes, tag)
        }
    }

    static func useCode(_ tag: [UInt8], of user: UserID, at now: Int64, in transaction: any Transaction) throws {
        try transaction.run(
            "UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code = $2 AND used_at IS NULL", user.bytes,
            tag, now)
    }

    /// Removes TOTP and the recovery codes of a user.
    ///
    /// - Parameter since: Removes them only if TOTP was turned on at this Unix time in seconds or later; with 0 all.
    static func end(of user: UserID, since: Int64?, in transaction: any Transaction) throws {
        let ended = try transaction.rows(
            """
            DELETE FROM totp WHERE user_id = $1 AND (CAST($2 AS bigint) IS NULL OR coalesce(activated_at, 0) >= $2)
            RETURNING 1
            """, user.bytes, since)
        guard since == nil || since == 0 || !ended.isEmpty else { return }
        try transaction.run("DELETE FROM recovery_codes WHERE user_id = $1", user.bytes)
    }

    /// Returns the statement that takes a factor again, as a decision's detail names it, with a row if the user had it.
    static func taking(_ detail: String, from user: UserID) -> Statement {
        switch detail {
        case SecondFactorLoss.all: Statement("DELETE FROM totp WHERE user_id = $1 RETURNING 1", user.bytes)
        case SecondFactorLoss.codes: Statement("DELETE FROM recovery_codes WHERE user_id = $1 RETURNING 1", user.bytes)
        default:
            Statement(
                "DELETE FROM recovery_codes WHERE user_id = $1 AND code = $2 RETURNING 1", user.bytes,
                Hex.decode(detail) ?? [])
        }
    }
}

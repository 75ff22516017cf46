import Storage
import UserCore

/// Reads and writes rows of `resolutions`.
enum ResolutionRows {
    /// How many seconds a row outlives its attestation, since clocks may be set back.
    static let outlivesSeconds: Int64 = 3600

    /// Selects the result of resolving a proof, after the columns of its user.
    static let byProof: SQL = """
        SELECT \(UserRows.columns), r.user_id, r.is_new_user, r.restored, r.call, r.made_at
        FROM resolutions AS r LEFT JOIN users AS u ON u.id = r.user_id WHERE r.attestation_id = $1
        """

    /// Reads a row of `byProof`.
    static func earlier(_ row: Row) throws -> EarlierSignIn {
        let first = UserRows.columnCount
        let resolution = Resolution(
            userID: try row.userID(first), isNewUser: row.boolean(first + 1), restored: row.boolean(first + 2))
        let served = row.optionalInteger(first + 4).map { ServedCall(tag: row.bytes(first + 3), at: $0) }
        return EarlierSignIn(resolution: resolution, user: try UserRows.user(row), served: served)
    }

    static func insert(
        _ resolution: Resolution, of proof: SignInProof, now: Int64, in transaction: any Transaction
    ) throws {
        let expiresAt = proof.expiresAt.addingReportingOverflow(outlivesSeconds).partialValue
        try transaction.run(
            """
            INSERT INTO resolutions (attestation_id, user_id, is_new_user, restored, expires_at, call, made_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, proof.id, resolution.userID.bytes, resolution.isNewUser, resolution.restored, expiresAt,
            proof.token?.call, proof.token.map { _ in now })
    }
}

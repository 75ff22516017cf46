import Foundation
import GRDB
import SQLiteStore
import Storage
import UserCore

/// Reads and writes rows of `resolutions`, inside the caller's transaction.
struct ResolutionRows {
    /// How many seconds a row outlives its attestation, since clocks may be set back.
    static let outlivesSeconds: Int64 = 3600

    private enum Column: CInt, StatementColumn {
        case userID, isNewUser, restored, call, madeAt
    }

    private static let byProof = "SELECT \(Column.list) FROM resolutions WHERE attestation_id = ?"

    let database: Database

    /// Returns the result of resolving a proof before, and the call that it served.
    func resolution(ofProof id: String) throws -> (Resolution, ServedCall?)? {
        let statement = try database.cachedStatement(sql: Self.byProof)
        return try statement.first([id]) { (row: StatementColumns<Column>) in
            guard let user: UserID = row.value(.userID) else {
                throw StorageError(.corrupt, "a user's id does not have 16 bytes")
            }
            let resolution = Resolution(
                userID: user, isNewUser: row.integer(.isNewUser) != 0, restored: row.integer(.restored) != 0)
            let madeAt: Int64? = row.value(.madeAt)
            return (resolution, madeAt.map { ServedCall(tag: row.bytes(.call), at: $0) })
        }
    }

    func insert(_ resolution: Resolution, of proof: SignInProof, now: Int64) throws {
        let expiresAt = proof.expiresAt.addingReportingOverflow(Self.outlivesSeconds).partialValue
        try database.run(
            """
            INSERT INTO resolutions (attestation_id, user_id, is_new_user, restored, expires_at, call, made_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                proof.id, resolution.userID, resolution.isNewUser, resolution.restored, expiresAt,
                proof.token.map { Data($0.call) }, proof.token.map { _ in now },
            ])
    }
}

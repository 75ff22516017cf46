import Foundation
import GRDB
import SQLiteStore
import Storage
import UserCore

/// Reads and writes rows of `resolutions`, inside the caller's transaction.
struct ResolutionRows {
    /// How long a row outlives its attestation: clocks may be set back.
    static let outlivesSeconds: Int64 = 3600

    private enum Column: CInt, StatementColumn {
        case userID, isNewUser, restored
    }

    private static let byProof = "SELECT \(Column.list) FROM resolutions WHERE attestation_id = ?"

    let database: Database

    /// What a proof led to before.
    func resolution(ofProof id: String) throws -> Resolution? {
        let statement = try database.cachedStatement(sql: Self.byProof)
        return try statement.first([id]) { (row: StatementColumns<Column>) in
            guard let user = UserID(bytes: row.bytes(.userID)) else {
                throw StorageError(.corrupt, "a user's id has not 16 bytes")
            }
            return Resolution(
                userID: user, isNewUser: row.integer(.isNewUser) != 0, restored: row.integer(.restored) != 0)
        }
    }

    func insert(_ resolution: Resolution, proofID: String, proofExpiresAt: Int64) throws {
        let expiresAt = proofExpiresAt.addingReportingOverflow(Self.outlivesSeconds).partialValue
        try database.cachedStatement(
            sql: """
                INSERT INTO resolutions (attestation_id, user_id, is_new_user, restored, expires_at)
                VALUES (?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                proofID, Data(resolution.userID.bytes), resolution.isNewUser, resolution.restored, expiresAt,
            ])
    }
}

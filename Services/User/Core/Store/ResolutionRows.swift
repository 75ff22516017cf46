internal import Foundation
internal import GRDB

/// Writes rows of `resolutions`, inside the caller's transaction.
struct ResolutionRows {
    /// How long a row outlives its attestation: clocks may be set back.
    static let outlivesSeconds: Int64 = 3600

    let database: Database

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

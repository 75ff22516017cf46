internal import Foundation
internal import GRDB

/// Writes rows of `resolutions`, inside the caller's transaction.
struct ResolutionRows {
    /// How long a row outlives its attestation: clocks may be set back.
    static let outlivesSeconds: Int64 = 3600

    let database: Database

    func insert(_ resolution: Resolution, attestationID: String, attestationExpiresAt: Int64) throws {
        let expiresAt = attestationExpiresAt.addingReportingOverflow(Self.outlivesSeconds).partialValue
        try database.cachedStatement(
            sql: """
                INSERT INTO resolutions (attestation_id, user_id, is_new_user, restored, expires_at)
                VALUES (?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                attestationID, Data(resolution.userID.bytes), resolution.isNewUser, resolution.restored, expiresAt,
            ])
    }
}

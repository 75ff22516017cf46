internal import Foundation
internal import GRDB
internal import SQLiteStore

/// Reads and writes rows of `resolutions`, inside the caller's transaction.
struct ResolutionRows {
    /// How long a row outlives its attestation: clocks may be set back.
    static let outlivesSeconds: Int64 = 3600
    /// Expired rows that each new one removes; more than one, so that the table shrinks after a rush.
    private static let removedPerInsert = 4

    let database: Database

    func resolution(of attestationID: String) throws -> Resolution? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT user_id, is_new_user, restored FROM resolutions WHERE attestation_id = ?"),
            arguments: [attestationID])
        guard let row else { return nil }
        guard let userID = UserID(bytes: Array(try row.decode(Data.self, forColumn: "user_id"))) else {
            throw SQLiteError(.corrupt, "a resolution's user id has not 16 bytes")
        }
        return Resolution(
            userID: userID, isNewUser: try row.decode(Bool.self, forColumn: "is_new_user"),
            restored: try row.decode(Bool.self, forColumn: "restored"))
    }

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

    /// Removes some rows that no attestation can ask for any more.
    func sweep(now: Int64) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM resolutions WHERE attestation_id IN
                    (SELECT attestation_id FROM resolutions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
                """
        ).execute(arguments: [now, Self.removedPerInsert])
    }
}

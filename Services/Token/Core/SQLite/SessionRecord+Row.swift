internal import Foundation
internal import GRDB
internal import InternalAPI

extension SessionRecord {
    /// The columns that `init(row:)` reads, in its order.
    static let columns = """
        locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation, salt, created_at, \
        last_used_at, idle_expires_at, absolute_expires_at, access_expires_at, is_revoked, reason, device, network, claims
        """

    /// The session that a row of `sessions` holds; nil for a row that none of our versions wrote.
    init?(row: Row, userIDs: StoredUserID) {
        guard let id = SessionID(bytes: Self.bytes(row, 1)) else { return nil }
        let isRevoked: Bool = row[15]
        self.init(
            locator: row[0], id: id, userID: userIDs.text(row[2]), epoch: row[3], dialect: row[4], method: row[5],
            currentHash: Self.bytes(row, 6), previousHash: Self.bytes(row, 7), generation: row[8],
            salt: Self.bytes(row, 9), createdAt: row[10], lastUsedAt: row[11], idleExpiresAt: row[12],
            absoluteExpiresAt: row[13], accessExpiresAt: row[14],
            revokedFor: isRevoked ? RevocationReason(code: row[16]) : nil, device: row[17], network: row[18],
            sealedClaims: Self.bytes(row, 19))
    }

    private static func bytes(_ row: Row, _ index: Int) -> [UInt8] {
        Array((row[index] as Data?) ?? Data())
    }
}

internal import GRDB
internal import InternalAPI
internal import SQLiteStore
internal import TokenCore

extension SessionRecord {
    /// The columns that `init(_:userIDs:)` reads, in its order.
    static let columns = """
        locator, sid, user_id, epoch, dialect, method, current_hash, previous_hash, generation, salt, created_at, \
        last_used_at, idle_expires_at, absolute_expires_at, access_expires_at, is_revoked, reason, device, network, claims
        """

    /// The session that a row of `sessions` holds; nil for a row that none of our versions wrote.
    init?(_ row: StatementColumns, userIDs: StoredUserID) {
        guard let id = SessionID(bytes: row.bytes(1)) else { return nil }
        let isRevoked = row.integer(15) != 0
        self.init(
            locator: row.integer(0), id: id, userID: userIDs.text(row.stored(2)), epoch: row.integer(3),
            dialect: row.text(4), method: row.text(5), currentHash: row.bytes(6), previousHash: row.bytes(7),
            generation: row.integer(8), salt: row.bytes(9), createdAt: row.integer(10), lastUsedAt: row.integer(11),
            idleExpiresAt: row.integer(12), absoluteExpiresAt: row.value(13), accessExpiresAt: row.integer(14),
            revokedFor: isRevoked ? RevocationReason(code: Int(clamping: row.integer(16))) : nil, device: row.value(17),
            network: row.value(18), sealedClaims: row.bytes(19))
    }
}

internal import CryptoPrimitives
internal import InternalAPI

/// A session as its one row tells it; times are Unix seconds.
struct SessionRecord: Sendable, Equatable {
    /// The row; stands masked in the refresh token and nowhere else.
    let locator: Int64
    let id: SessionID
    /// The public user id, the token's `sub`.
    let userID: String
    /// The user's epoch at sign-in: revoking up to an epoch spares the sessions that began with it.
    let epoch: Int64
    /// Names the profile that rules the session.
    let dialect: String
    /// How the person signed in.
    let method: String
    /// SHA-256 of the refresh token that is good now.
    var currentHash: [UInt8]
    /// SHA-256 of the one before; zeros while there is none.
    var previousHash: [UInt8]
    var generation: Int64
    /// What the present token was made from when the client gave no key, else the key's mark; zeros for rows from before
    /// keys left one.
    var salt: [UInt8]
    let createdAt: Int64
    /// The last rotation, or the sign-in.
    var lastUsedAt: Int64
    var idleExpiresAt: Int64
    let absoluteExpiresAt: Int64?
    /// When the last access token of the session expires.
    var accessExpiresAt: Int64
    /// Why the session was revoked; nil while it lives.
    var revokedFor: RevocationReason?
    /// What the device calls itself.
    let device: String?
    /// Where the person signed in from, shortened to the network.
    let network: String?
    /// `UserClaims`, sealed: they hold the phone number.
    let sealedClaims: [UInt8]

    /// From when no refresh helps.
    var refreshExpiresAt: Int64 { min(idleExpiresAt, absoluteExpiresAt ?? .max) }

    /// The record as `verdict` leaves it; what the database then holds.
    func after(_ verdict: RotationVerdict, now: Int64) -> SessionRecord {
        var record = self
        switch verdict.decision {
        case .rotate(let rotation):
            record.previousHash = currentHash
            record.currentHash = rotation.successor.hash
            record.generation = rotation.successor.generation
            record.salt = rotation.salt
            record.lastUsedAt = now
            record.idleExpiresAt = rotation.idleExpiresAt
            record.accessExpiresAt = max(accessExpiresAt, verdict.accessExpiresAt)
        case .repeatAnswer: record.accessExpiresAt = max(accessExpiresAt, verdict.accessExpiresAt)
        case .reuse(revokes: true): record.revokedFor = .reuse
        case .reuse, .lateCopy, .impossible, .spentKey, .refuse: break
        }
        return record
    }
}

extension SessionRecord {
    /// The record of a session that begins; what the database then holds.
    init(_ opening: SessionOpening, _ token: RefreshToken) {
        self.init(
            locator: token.locator, id: opening.id, userID: opening.userID, epoch: opening.epoch,
            dialect: opening.dialect, method: opening.method, currentHash: token.hash,
            previousHash: [UInt8](repeating: 0, count: SHA256.byteCount), generation: token.generation,
            salt: opening.salt, createdAt: opening.createdAt,
            lastUsedAt: opening.createdAt, idleExpiresAt: opening.idleExpiresAt,
            absoluteExpiresAt: opening.absoluteExpiresAt, accessExpiresAt: opening.accessExpiresAt, revokedFor: nil,
            device: opening.device, network: opening.network, sealedClaims: opening.sealedClaims)
    }
}

import CryptoPrimitives
package import InternalAPI

/// A session as its one row tells it; times are Unix seconds.
package struct SessionRecord: Sendable, Equatable {
    /// The row; stands masked in the refresh token and nowhere else.
    package let locator: Int64
    package let id: SessionID
    /// The public user id, the token's `sub`.
    package let userID: String
    /// The user's epoch at sign-in: revoking up to an epoch spares the sessions that began with it.
    package let epoch: Int64
    /// Names the profile that rules the session.
    package let dialect: String
    /// How the person signed in.
    package let method: String
    /// SHA-256 of the refresh token that is good now.
    package var currentHash: [UInt8]
    /// SHA-256 of the one before; zeros while there is none.
    package var previousHash: [UInt8]
    package var generation: Int64
    /// What the present token was made from when the client gave no key, else the key's mark; zeros for rows from before
    /// keys left one.
    package var salt: [UInt8]
    package let createdAt: Int64
    /// The last rotation, or the sign-in.
    package var lastUsedAt: Int64
    package var idleExpiresAt: Int64
    package let absoluteExpiresAt: Int64?
    /// When the last access token of the session expires.
    package var accessExpiresAt: Int64
    /// Why the session was revoked; nil while it lives.
    package var revokedFor: RevocationReason?
    /// The late repeats of the latest generations.
    package var lateRepeats: LateRepeats
    /// What the device calls itself.
    package let device: String?
    /// Where the person signed in from, shortened to the network.
    package let network: String?
    /// `UserClaims`, sealed: they hold the phone number.
    package let sealedClaims: [UInt8]

    package init(
        locator: Int64, id: SessionID, userID: String, epoch: Int64, dialect: String, method: String,
        currentHash: [UInt8], previousHash: [UInt8] = [UInt8](repeating: 0, count: SHA256.byteCount),
        generation: Int64 = 0, salt: [UInt8], createdAt: Int64, lastUsedAt: Int64, idleExpiresAt: Int64,
        absoluteExpiresAt: Int64?, accessExpiresAt: Int64, revokedFor: RevocationReason? = nil,
        lateRepeats: LateRepeats = LateRepeats(), device: String?, network: String?, sealedClaims: [UInt8]
    ) {
        self.locator = locator
        self.id = id
        self.userID = userID
        self.epoch = epoch
        self.dialect = dialect
        self.method = method
        self.currentHash = currentHash
        self.previousHash = previousHash
        self.generation = generation
        self.salt = salt
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.idleExpiresAt = idleExpiresAt
        self.absoluteExpiresAt = absoluteExpiresAt
        self.accessExpiresAt = accessExpiresAt
        self.revokedFor = revokedFor
        self.lateRepeats = lateRepeats
        self.device = device
        self.network = network
        self.sealedClaims = sealedClaims
    }

    /// From when no refresh helps.
    var refreshExpiresAt: Int64 { min(idleExpiresAt, absoluteExpiresAt ?? .max) }

    /// Whether all that decisions about refresh tokens rest on is as in `seen`: the last access token may expire later.
    package func isUnchanged(since seen: SessionRecord) -> Bool {
        constantTimeEqual(currentHash, seen.currentHash) && sealedClaims == seen.sealedClaims
            && revokedFor == seen.revokedFor
    }
}

import CryptoPrimitives
package import InternalAPI
import Policies

/// A session as stored in its one row; times are Unix seconds.
package struct SessionRecord: Sendable, Equatable {
    /// The number of the row, which is masked in the refresh token and appears nowhere else.
    package let locator: Int64
    package let id: SessionID
    /// The public user id, the token's `sub`.
    package let userID: String
    /// The user's epoch at sign-in. A revocation up to an epoch keeps the sessions that began with it.
    package let epoch: Int64
    /// The dialect, whose profile applies to the session.
    package let dialect: String
    /// How the person signed in.
    package let method: String
    /// SHA-256 of the refresh token that is valid now.
    package var currentHash: [UInt8]
    /// SHA-256 of the previous one; zeros if there is none.
    package var previousHash: [UInt8]
    package var generation: Int64
    /// The bytes from which the current token was made if the client sent no key, otherwise the key's mark. They are zeros in rows
    /// from before keys left a mark.
    package var salt: [UInt8]
    package let createdAt: Int64
    /// The time of the last rotation, or of the sign-in.
    package var lastUsedAt: Int64
    /// The last time at which the user showed who they are; a sign-in counts.
    package var authenticatedAt: Int64
    package var idleExpiresAt: Int64
    package let absoluteExpiresAt: Int64?
    /// The expiry of the session's last access token.
    package var accessExpiresAt: Int64
    /// The reason for which the session was revoked; `nil` while it is live.
    package var revokedFor: RevocationReason?
    /// The late repeats of the latest generations.
    package var lateRepeats: LateRepeats
    /// How far back tabs of a page may be; without a meaning in the sessions of apps.
    package var marks: RotationMarks
    /// The name of the device.
    package let device: String?
    /// The device's `DeviceKind`; `nil` if it is not known.
    package let deviceKind: String?
    /// The network from which the person signed in.
    package let network: String?
    /// SHA-256 of the secret of a page's session; `nil` for the sessions of apps.
    package let pageHash: [UInt8]?
    /// The public id of the user who acts as the session's user; `nil` in the user's own sessions.
    package let actorID: String?
    /// All that the user has shown in this session.
    package var factors: AuthenticationFactors
    /// The factors that the user showed at `authenticatedAt`.
    package var latestFactors: AuthenticationFactors
    /// `UserClaims`, sealed, because they contain the phone number.
    package let sealedClaims: [UInt8]

    package init(
        locator: Int64, id: SessionID, userID: String, epoch: Int64, dialect: String, method: String,
        currentHash: [UInt8], previousHash: [UInt8] = [UInt8](repeating: 0, count: SHA256.byteCount),
        generation: Int64 = 0, salt: [UInt8], createdAt: Int64, lastUsedAt: Int64,
        authenticatedAt: Int64? = nil, idleExpiresAt: Int64,
        absoluteExpiresAt: Int64?, accessExpiresAt: Int64, revokedFor: RevocationReason? = nil,
        lateRepeats: LateRepeats = LateRepeats(), marks: RotationMarks = RotationMarks(), device: String?,
        deviceKind: String? = nil, network: String?, pageHash: [UInt8]? = nil, actorID: String? = nil,
        factors: AuthenticationFactors? = nil, latestFactors: AuthenticationFactors? = nil, sealedClaims: [UInt8]
    ) {
        let all = factors ?? AuthenticationFactors(method: method)
        self.factors = all
        self.latestFactors = latestFactors ?? all
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
        self.authenticatedAt = authenticatedAt ?? createdAt
        self.idleExpiresAt = idleExpiresAt
        self.absoluteExpiresAt = absoluteExpiresAt
        self.accessExpiresAt = accessExpiresAt
        self.revokedFor = revokedFor
        self.lateRepeats = lateRepeats
        self.marks = marks
        self.device = device
        self.deviceKind = deviceKind
        self.network = network
        self.pageHash = pageHash
        self.actorID = actorID
        self.sealedClaims = sealedClaims
    }

    /// Whether a refresh may come with this page secret, in base64url: the session's own if it is a page's, otherwise none.
    func accepts(pageSecret: String?) -> Bool {
        guard let pageHash else { return pageSecret == nil }
        guard let bytes = pageSecret.flatMap(Base64URL.decode) else { return false }
        return constantTimeEqual(SHA256.hash(bytes), pageHash)
    }

    /// Whether the User-Agent of a refresh shows another kind of device than the one that signed in.
    func isRefreshedByOtherDevice(_ userAgent: String?) -> Bool {
        guard let deviceKind, let kind = DeviceKind(userAgent: userAgent) else { return false }
        return kind.rawValue != deviceKind
    }

    /// An access token's lifetime varies by its twentieth at most.
    static let spreadDivisor: Int64 = 20

    /// The time from which no refresh is possible.
    var refreshExpiresAt: Int64 { min(idleExpiresAt, absoluteExpiresAt ?? .max) }

    /// The expiry of an access token that the session gets at `now`. A reviewer's token does not outlive the session, whose end is
    /// that of the review access.
    ///
    /// In the dialect `supabase` it varies, because all clients that signed in at one moment would refresh at one moment.
    func accessExpiry(_ lifetimeSeconds: Int64, from now: Int64) -> Int64 {
        let spread = dialect == Dialect.supabase ? lifetimeSeconds / Self.spreadDivisor : 0
        let wanted = now + lifetimeSeconds + (spread == 0 ? 0 : Int64.random(in: -spread...spread))
        return method == Attestation.reviewMethod ? min(wanted, absoluteExpiresAt ?? wanted) : wanted
    }

    /// Whether everything on which decisions about refresh tokens depend is as in `seen`. The last access token may expire later.
    package func isUnchanged(since seen: SessionRecord) -> Bool {
        constantTimeEqual(currentHash, seen.currentHash) && sealedClaims == seen.sealedClaims
            && revokedFor == seen.revokedFor
    }
}

import CryptoPrimitives

/// A user's second factor as stored; times are Unix seconds.
package struct SecondFactor: Sendable, Equatable {
    /// The secret of the authenticator app, sealed by `SecondFactorSeal`; `nil` without one.
    package var sealedSecret: [UInt8]?
    /// The step of the last accepted code.
    package var lastStep: Int64?
    /// When TOTP is on, which may be later; `nil` until the first code of the secret.
    package var activatedAt: Int64?
    /// Whether each sign-in with one factor asks for a second one.
    package var isRequired: Bool
    /// The wrong guesses in a row, at codes of the app and recovery codes together.
    package var wrongCount: Int64
    /// The time of the last wrong guess.
    package var guessedAt: Int64
    /// The recovery codes, which are read only with an account.
    package var codes: [StoredRecoveryCode]
    /// The number of passkeys that can be used.
    package var passkeyCount: Int64

    package init(
        sealedSecret: [UInt8]? = nil, lastStep: Int64? = nil, activatedAt: Int64? = nil, isRequired: Bool = false,
        wrongCount: Int64 = 0, guessedAt: Int64 = 0, codes: [StoredRecoveryCode] = [],
        passkeyCount: Int64 = 0
    ) {
        self.passkeyCount = passkeyCount
        (self.sealedSecret, self.lastStep, self.activatedAt) = (sealedSecret, lastStep, activatedAt)
        (self.isRequired, self.wrongCount, self.guessedAt, self.codes) = (isRequired, wrongCount, guessedAt, codes)
    }

    /// Whether TOTP is on.
    func isOn(at now: Int64) -> Bool { activatedAt.map { $0 <= now } ?? false }

    /// Whether TOTP was turned on by a code alone and waits.
    func isWaiting(at now: Int64) -> Bool { activatedAt.map { $0 > now } ?? false }

    /// Whether there is a factor that a recovery code can stand in for.
    func exists(at now: Int64) -> Bool { isOn(at: now) || passkeyCount > 0 }

    var codesLeft: Int64 { Int64(codes.count { $0.usedAt == nil }) }
}

/// A recovery code as stored.
package struct StoredRecoveryCode: Sendable, Equatable {
    /// See `RecoveryCodeTags`.
    package let tag: [UInt8]
    /// Unix time in seconds; `nil` while it can be used.
    package let usedAt: Int64?

    package init(tag: [UInt8], usedAt: Int64? = nil) { (self.tag, self.usedAt) = (tag, usedAt) }
}

/// Seals secrets of authenticator apps for the row of their user, and derives the tags of recovery codes.
struct SecondFactorSeal: Sendable {
    private let seal: StorageSeal
    let tags: RecoveryCodeTags

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) {
        seal = StorageSeal(ring: ring, info: "latchkey user storage totp")
        tags = RecoveryCodeTags(ring: ring)
    }

    func seal(_ totp: TOTP, of user: UserID) throws -> [UInt8] { try seal.seal(totp.secret, context: user.bytes) }

    /// Opens the secret, or returns `nil` if there is none or no key opens it.
    func totp(_ factor: SecondFactor, of user: UserID) -> TOTP? {
        factor.sealedSecret.flatMap { seal.open($0, context: user.bytes) }.map { TOTP(secret: $0) }
    }
}

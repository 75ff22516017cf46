import CryptoPrimitives
import InternalAPI
import Policies

/// user-service's own statement that a token or a password has verified an identity (design section 4, step 2).
///
/// `resolve` accepts it like an attestation, so that all later steps can be repeated without what was presented.
struct OwnProof: SealedStatement, Equatable {
    static let kind = "proof"
    static let lifetimeSeconds: Int64 = 60

    let proof: SignInProof
    /// The sign-in method for audit, metrics and sessions.
    let method: String
    let expiresAt: Int64
    /// The deletion of the account that the person cancels (`RestoreOffer`); `nil` for an ordinary sign-in.
    let deletionRequestedAt: Int64?

    init(_ proof: SignInProof, method: String, deletionRequestedAt: Int64? = nil, now: Int64) {
        self.deletionRequestedAt = deletionRequestedAt
        self.proof = proof
        self.method = method
        expiresAt = now + Self.lifetimeSeconds
    }

    /// The keys that seal and open proofs, derived from `user_storage_key`.
    static func keys(_ ring: KeyRing) throws -> KeyRing {
        try KeyRing(
            ring.all.map { KeyRing.Key(id: $0.id, secret: HKDF.derive(from: $0.secret, info: "latchkey user proofs")) })
    }
}

extension OwnProof {
    /// Creates the proof that a person knew the password of an email address.
    ///
    /// - Parameters:
    ///   - call: the tag of the sign-in call, whose repeat gets the same proof; `nil` if each call gets its own.
    ///   - address: the email address, in its canonical form.
    ///   - now: Unix time in seconds.
    init(_ call: CallTag?, address: String, user: User, passwordVersion: Int64, now: Int64) {
        let time = Hex.encode(BigEndian.bytes(UInt64(clamping: now), count: 4))
        let name = call.map { SHA256.hash(Array("latchkey:password-proof:".utf8) + $0.bytes) }
        self.init(
            SignInProof(
                id: time + Hex.encode((name ?? SecureRandom.bytes(16)).prefix(16)),
                expiresAt: now + Self.lifetimeSeconds, identity: .email(address),
                password: VerifiedPassword(user: user.id, version: passwordVersion, epoch: user.epoch)),
            method: SignInMethod.password, now: now)
    }
}

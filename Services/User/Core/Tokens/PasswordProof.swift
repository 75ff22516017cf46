import CryptoPrimitives
import InternalAPI

/// user-service's own statement that somebody knew the password of an address (design section 4, step 2).
///
/// `resolve` takes it like an attestation, so that all later steps can be repeated without the password.
struct PasswordProof: SealedStatement, Equatable {
    static let kind = "password proof"
    static let method = "password"
    static let lifetimeSeconds: Int64 = 60

    /// Names the proof; the grant's id derives from it.
    let proofID: String
    /// In its one spelling.
    let address: String
    /// The user's id in hexadecimal digits.
    let userID: String
    /// Of the password: once that has changed the proof is void.
    let passwordVersion: Int64
    /// The user's, as in his grants; nil in a proof of an older release.
    let epoch: Int64?
    let expiresAt: Int64

    /// - Parameters:
    ///   - call: the login's; its repeat finds the first answer, and so the same proof. Nil: each has its own.
    ///   - now: Unix time in seconds.
    init(_ call: CallTag?, address: String, user: User, passwordVersion: Int64, now: Int64) {
        let time = Hex.encode(BigEndian.bytes(UInt64(clamping: now), count: 4))
        let name = call.map { SHA256.hash(Array("latchkey:password-proof:".utf8) + $0.bytes) }
        proofID = time + Hex.encode((name ?? SecureRandom.bytes(16)).prefix(16))
        self.address = address
        userID = Hex.encode(user.id.bytes)
        self.passwordVersion = passwordVersion
        epoch = user.epoch
        expiresAt = now + Self.lifetimeSeconds
    }

    /// What seals and opens proofs, derived from `user_storage_key`.
    static func keys(_ ring: KeyRing) throws -> KeyRing {
        try KeyRing(
            ring.all.map { KeyRing.Key(id: $0.id, secret: HKDF.derive(from: $0.secret, info: "latchkey user proofs")) })
    }
}

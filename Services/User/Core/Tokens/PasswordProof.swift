import CryptoPrimitives
import InternalAPI
import Policies

/// user-service's own proof that a person knew the password of an email address (design section 4, step 2).
///
/// `resolve` accepts it like an attestation, so that all later steps can be repeated without the password.
struct PasswordProof: SealedStatement, Equatable {
    static let kind = "password proof"
    static let method = SignInMethod.password
    static let lifetimeSeconds: Int64 = 60

    /// Identifies the proof. The grant's id derives from it.
    let proofID: String
    /// The email address, in its canonical form.
    let address: String
    /// The user's id in hexadecimal digits.
    let userID: String
    /// The password's version. The proof is invalid once the password has changed.
    let passwordVersion: Int64
    /// The user's epoch, as in their grants.
    let epoch: Int64
    let expiresAt: Int64

    /// - Parameters:
    ///   - call: the tag of the sign-in call, whose repeat gets the same proof; `nil` if each call gets its own.
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

    /// The keys that seal and open proofs, derived from `user_storage_key`.
    static func keys(_ ring: KeyRing) throws -> KeyRing {
        try KeyRing(
            ring.all.map { KeyRing.Key(id: $0.id, secret: HKDF.derive(from: $0.secret, info: "latchkey user proofs")) })
    }
}

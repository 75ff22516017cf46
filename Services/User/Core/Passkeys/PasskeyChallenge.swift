import CryptoPrimitives
import InternalAPI
import StrictJSON

/// The challenge of a ceremony, with everything that the ceremony is bound to. The client carries it, sealed, so that options store
/// nothing.
struct PasskeyChallenge: Codable, Sendable, Equatable {
    enum Purpose: String, Codable, Sendable, CaseIterable {
        case signIn = "sign_in"
        case register
        /// A registration whose options need no session.
        case signUp = "sign_up"
        case stepUp = "step_up"
        case secondFactor = "second_factor"

        /// A code has to arrive during a sign-up.
        var lifetimeSeconds: Int64 { self == .signUp ? 900 : 300 }
    }

    /// The account and session that a ceremony is bound to.
    struct Owner: Codable, Sendable, Equatable {
        let user: UserID
        let epoch: Int64
        /// Only for a step-up.
        var sessionID: String?
        /// The proof of the first factor; only for a second factor.
        var proofID: String?
    }

    let purpose: Purpose
    /// 32 random bytes in base64url, as in the options.
    let challenge: String
    /// `nil` for a sign-in and a sign-up.
    var owner: Owner?
    /// The kind of the key that is registered.
    var kind: PasskeyKind?
    /// The `user.id` of a registration, in base64url.
    var handle: String?
    let requiresUserVerification: Bool
    let expiresAt: Int64

    /// - Parameter now: Unix time in seconds.
    init(
        _ purpose: Purpose, owner: Owner? = nil, kind: PasskeyKind? = nil, handle: String? = nil,
        requiresUserVerification: Bool, now: Int64
    ) {
        challenge = Base64URL.encode(SecureRandom.bytes(32))
        expiresAt = now + purpose.lifetimeSeconds
        (self.purpose, self.owner, self.kind, self.handle) = (purpose, owner, kind, handle)
        self.requiresUserVerification = requiresUserVerification
    }

    var issuedAt: Int64 { expiresAt - purpose.lifetimeSeconds }
    /// The challenge as it is compared; empty, so that nothing equals it, if it is no base64url.
    var bytes: [UInt8] { Base64URL.decode(challenge) ?? [] }

    /// The id of the proof, which is the same for every assertion of the challenge, so that it can be used once. It begins with the
    /// time, as that of an identity token.
    var proofID: String {
        let name = Array("latchkey:passkey:\(purpose.rawValue):\(challenge)".utf8)
        return Hex.encode(BigEndian.bytes(UInt64(clamping: issuedAt), count: 4))
            + Hex.encode(SHA256.hash(name).prefix(24))
    }
}

/// Seals challenges with a key of their own.
struct PasskeySeal: Sendable {
    private static let textBytesMax = 1024
    private static let context = Array("passkey challenge".utf8)

    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user passkey challenges") }

    func seal(_ challenge: PasskeyChallenge) throws -> String {
        Base64URL.encode(try seal.seal(try StrictJSON.encode(challenge), context: Self.context))
    }

    /// Returns the challenge, or `nil` if it is forged, expired or for another purpose.
    ///
    /// - Parameter now: Unix time in seconds.
    func open(_ text: String, for purposes: [PasskeyChallenge.Purpose], now: Int64) -> PasskeyChallenge? {
        guard text.utf8.count <= Self.textBytesMax, let sealed = Base64URL.decode(text),
            let bytes = seal.open(sealed, context: Self.context)
        else { return nil }
        do {
            let challenge = try StrictJSON.decode(PasskeyChallenge.self, from: bytes, limits: .own)
            return purposes.contains(challenge.purpose) && now < challenge.expiresAt ? challenge : nil
        } catch {
            // Sealed by another release.
            return nil
        }
    }
}

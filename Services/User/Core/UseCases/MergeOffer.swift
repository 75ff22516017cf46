import CryptoPrimitives
import InternalAPI
import StrictJSON

/// The account that a user may merge into their own, because they have verified one of its identities.
struct MergeOffer: Codable, Sendable, Equatable {
    static let lifetimeSeconds: Int64 = 600

    let other: UserID
    /// The other account's epoch, which a change that ends its sessions raises.
    let epoch: Int64
    let identity: VerifiedIdentity
    /// Unix time in seconds at which the user verified the identity.
    let verifiedAt: Int64

    /// Whether the other account is as it was: it has the identity, and its sessions and its password are those of then.
    func holds(for facts: UserFacts) -> Bool {
        facts.holder?.epoch == epoch && facts.identities.contains { $0.identity == identity }
            && !facts.outdates(codeOf: verifiedAt)
    }
}

/// Seals offers as merge tokens, which only the session that got one can use.
struct MergeSeal: Sendable {
    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user merge tokens") }

    func seal(_ offer: MergeOffer, for user: SignedInUser) throws -> String {
        Base64URL.encode(try seal.seal(try StrictJSON.encode(offer), context: Self.context(user)))
    }

    /// Returns the offer, or `nil` if the token is forged or expired, or another session's.
    ///
    /// - Parameter now: Unix time in seconds.
    func open(_ token: String, of user: SignedInUser, now: Int64) -> MergeOffer? {
        guard token.utf8.count <= SealLimits.textBytesMax,
            let bytes = Base64URL.decode(token).flatMap({ seal.open($0, context: Self.context(user)) })
        else { return nil }
        do {
            let offer = try StrictJSON.decode(MergeOffer.self, from: bytes, limits: .own)
            return now < offer.verifiedAt + MergeOffer.lifetimeSeconds ? offer : nil
        } catch {
            // Sealed by another release.
            return nil
        }
    }

    private static func context(_ user: SignedInUser) -> [UInt8] {
        Array("merge ".utf8) + user.id.bytes + Array(user.sessionID.utf8)
    }
}

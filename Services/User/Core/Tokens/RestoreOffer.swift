import CryptoPrimitives
import InternalAPI
import StrictJSON

/// The offer to cancel the scheduled deletion of an account, after a sign-in whose policy asks the person first. It contains the
/// proof of that sign-in, so that the person does not need another one.
struct RestoreOffer: Codable, Sendable, Equatable {
    /// How long the person may think about it, in seconds.
    static let lifetimeSeconds: Int64 = 600

    let proof: SignInProof
    /// The method of the sign-in.
    let method: String
    /// Unix time in seconds at which the deletion was requested. A later request is not cancelled.
    let deletionRequestedAt: Int64
    /// Unix time in seconds.
    let expiresAt: Int64

    /// - Parameter now: Unix time in seconds.
    init(_ proof: SignInProof, method: String, deletionRequestedAt: Int64, now: Int64) {
        expiresAt = now + Self.lifetimeSeconds
        self.proof = proof.presentable(until: expiresAt)
        self.method = method
        self.deletionRequestedAt = deletionRequestedAt
    }
}

/// Seals offers as restore tokens, of which nothing is stored.
struct RestoreSeal: Sendable {
    private static let kind = "restore"
    private static let context = Array("restore token".utf8)

    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user restore tokens") }

    /// Whether a text states that it is a restore token.
    static func isToken(_ text: String) -> Bool { SealedText.kind(of: text) == kind }

    func seal(_ offer: RestoreOffer) throws -> String {
        Self.kind + "." + Base64URL.encode(try seal.seal(try StrictJSON.encode(offer), context: Self.context))
    }

    /// - Parameter now: Unix time in seconds.
    func open(_ token: String, now: Int64) throws(SealRefusal) -> RestoreOffer {
        guard token.utf8.count <= SealLimits.textBytesMax,
            let sealed = Base64URL.decode(String(token.dropFirst(Self.kind.count + 1)))
        else { throw .malformed }
        guard let bytes = seal.open(sealed, context: Self.context) else { throw .forged }
        let offer: RestoreOffer
        do { offer = try StrictJSON.decode(RestoreOffer.self, from: bytes, limits: .own) } catch { throw .malformed }
        guard now < offer.expiresAt else { throw .expired }
        return offer
    }
}

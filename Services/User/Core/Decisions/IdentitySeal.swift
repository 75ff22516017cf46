import CryptoPrimitives
import InternalAPI
import StrictJSON

/// Seals identities for the list of security decisions, so that the list and its copies contain no personal data.
struct IdentitySeal: Sendable {
    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user storage identities") }

    /// The change that notes in the list that a user has just been given an identity.
    func noteAdded(_ identity: VerifiedIdentity, to user: UserID) throws -> UserChange {
        let sealed = try seal.seal(try StrictJSON.encode(identity), context: Self.context(user))
        return .noteAdded(identity, sealed: Base64URL.encode(sealed), to: user)
    }

    /// Opens an identity that was sealed for a user, or returns `nil` if no key opens it.
    func open(_ sealed: String, of user: UserID) -> VerifiedIdentity? {
        guard let opened = Base64URL.decode(sealed).flatMap({ seal.open($0, context: Self.context(user)) })
        else { return nil }
        do { return try StrictJSON.decode(VerifiedIdentity.self, from: opened, limits: .own) } catch { return nil }
    }

    private static func context(_ user: UserID) -> [UInt8] { Array("identity ".utf8) + user.bytes }
}

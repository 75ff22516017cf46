import CryptoPrimitives
import StrictJSON

/// Seals the contents of pending changes, which they need when they are due.
struct PendingSeal: Sendable {
    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user storage pending changes") }

    /// Seals the content of a change, which opens only in a change of this kind of this user.
    func seal(_ content: some Encodable, _ kind: PendingChange.Kind, of user: UserID) throws -> String {
        Base64URL.encode(try seal.seal(try StrictJSON.encode(content), context: Self.context(kind, user)))
    }

    /// Opens the content of a change, or returns `nil` if no key opens it.
    func open<Content: Decodable>(_ type: Content.Type, of change: PendingChange) -> Content? {
        let context = Self.context(change.kind, change.user)
        guard let opened = Base64URL.decode(change.sealed).flatMap({ seal.open($0, context: context) }) else {
            return nil
        }
        do { return try StrictJSON.decode(type, from: opened, limits: .own) } catch { return nil }
    }

    private static func context(_ kind: PendingChange.Kind, _ user: UserID) -> [UInt8] {
        Array("pending \(kind.rawValue) ".utf8) + user.bytes
    }
}

import CryptoPrimitives
import StrictJSON

/// Seals messages that contain personal data. A message may outlive the user's data, and a copy of the file must not reveal them.
struct OutboxSeal: Sendable {
    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user storage outbox") }

    /// Seals a message, which opens only in a row of its kind about this user.
    func message(
        _ kind: OutboxMessage.Kind, encoding content: some Encodable, about user: UserID,
        place: OutboxPlace = OutboxPlace()
    ) throws -> OutboxMessage {
        let sealed = try seal.seal(try StrictJSON.encode(content), context: Self.context(kind, user))
        return OutboxMessage(kind: kind, payload: Base64URL.encode(sealed), place: place)
    }

    /// Opens a sealed message and returns its content, or returns `nil` if no key opens it.
    func open(_ message: OutboxMessage, about user: UserID) -> [UInt8]? {
        Base64URL.decode(message.payload).flatMap { seal.open($0, context: Self.context(message.kind, user)) }
    }

    private static func context(_ kind: OutboxMessage.Kind, _ user: UserID) -> [UInt8] {
        Array("outbox \(kind.rawValue) ".utf8) + user.bytes
    }
}

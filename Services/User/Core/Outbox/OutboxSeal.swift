import CryptoPrimitives
import StrictJSON

/// Seals messages that name a person whose data are gone: until they are delivered, a copy of the file shall not.
struct OutboxSeal: Sendable {
    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user storage outbox") }

    /// A message that opens in a row of its kind about this user alone.
    func message(
        _ kind: OutboxMessage.Kind, encoding content: some Encodable, about user: UserID,
        place: OutboxPlace = OutboxPlace()
    ) throws -> OutboxMessage {
        let sealed = try seal.seal(try StrictJSON.encode(content), context: Self.context(kind, user))
        return OutboxMessage(kind: kind, payload: Base64URL.encode(sealed), place: place)
    }

    /// What `message` sealed; nil when no key of ours opens it.
    func open(_ message: OutboxMessage, about user: UserID) -> [UInt8]? {
        Base64URL.decode(message.payload).flatMap { seal.open($0, context: Self.context(message.kind, user)) }
    }

    private static func context(_ kind: OutboxMessage.Kind, _ user: UserID) -> [UInt8] {
        Array("outbox \(kind.rawValue) ".utf8) + user.bytes
    }
}

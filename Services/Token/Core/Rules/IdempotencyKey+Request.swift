import CryptoPrimitives
import InternalAPI

extension IdempotencyKey {
    /// How long the lost answer to a sign-in can be asked for again; what comes later than this for a refresh is audited.
    static let repeatSeconds: Int64 = 60

    /// The key of a request that may have none.
    /// - Throws: `InvalidInput` when there is one of another form.
    static func optional(_ text: String?) throws(InvalidInput) -> IdempotencyKey? {
        guard let text else { return nil }
        guard let key = IdempotencyKey(text) else {
            throw InvalidInput("Idempotency-Key is not 1-128 visible characters", member: "Idempotency-Key")
        }
        return key
    }
}

extension IdempotencyKey {
    /// What a session's row keeps of the key that made its token, so that the key is no key for the next one: 16 bytes of
    /// a hash, apart from all that stands in their place when there was no key.
    var mark: [UInt8] {
        Array(SHA256.hash(Array("latchkey idempotency-key ".utf8) + bytes).prefix(RotationRule.saltByteCount))
    }
}

/// The key of a rotation made the very token that it comes with; nothing was changed.
struct SpentIdempotencyKey: Error {}

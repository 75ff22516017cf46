import CryptoPrimitives
import InternalAPI

extension IdempotencyKey {
    /// How long the lost response to a sign-in can be fetched again, in seconds. A refresh that is repeated later is audited.
    static let repeatSeconds: Int64 = 60

    /// Reads the key of a request that may have none.
    /// - Throws: `InvalidInput` if there is one of another form.
    static func optional(_ text: String?) throws(InvalidInput) -> IdempotencyKey? {
        guard let text else { return nil }
        guard let key = IdempotencyKey(text) else {
            throw InvalidInput("Idempotency-Key is not 1-128 visible characters", member: "Idempotency-Key")
        }
        return key
    }
}

extension IdempotencyKey {
    /// The mark in a session's row of the key that made its token, so that the same key cannot make the next one. It is 16 bytes of
    /// a hash, distinct from the random bytes that replace it if there was no key.
    var mark: [UInt8] {
        Array(SHA256.hash(Array("latchkey idempotency-key ".utf8) + bytes).prefix(RotationRule.saltByteCount))
    }
}

/// The error for a key that made the very token with which it is presented; nothing was changed.
struct UsedIdempotencyKey: Error {}

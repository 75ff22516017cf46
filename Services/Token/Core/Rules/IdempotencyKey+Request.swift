import CryptoPrimitives
import InternalAPI

extension IdempotencyKey {
    /// How long the lost answer to a sign-in can be asked for again; what comes later than this for a refresh is audited.
    static let repeatSeconds: Int64 = 60

    /// The key of a request that may have none.
    /// - Throws: `InvalidRequest` when there is one of another form.
    static func optional(_ text: String?) throws(InvalidRequest) -> IdempotencyKey? {
        guard let text else { return nil }
        guard let key = IdempotencyKey(text) else {
            throw InvalidRequest("Idempotency-Key is not 1-128 visible characters", member: "Idempotency-Key")
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

/// A request that breaks the contract: 400, and nothing was changed.
struct InvalidRequest: Error, Equatable {
    /// What is wrong, without the value.
    let message: String
    /// The member of the request that is to blame; `nil` if several are.
    let member: String?

    init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }
}

/// The key of a rotation made the very token that it comes with; nothing was changed.
struct SpentIdempotencyKey: Error {}

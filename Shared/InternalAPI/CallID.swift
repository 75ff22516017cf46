import CryptoPrimitives

/// Names one call between our processes, so that its repeat is known and carried out once.
///
/// Unlike the request's id it is never shown: who could guess it could have another's call taken for a repeat.
package enum CallID {
    private static let byteCount = 16
    private static let use = "latchkey call-id v1"

    /// A new one from the system's random source: 32 hexadecimal digits.
    package static func random() -> String { Hex.encode(SecureRandom.bytes(byteCount)) }

    /// The one of a client's request with an `Idempotency-Key`: the same for a repeat, another for every other request.
    ///
    /// - Parameters:
    ///   - path: the operation's.
    ///   - caller: the id of the user who asks; empty for one who is not signed in.
    ///   - body: the client's, as it came.
    package static func of(_ path: String, key: IdempotencyKey, caller: String, body: [UInt8]) -> String {
        let parts = [Array(use.utf8), Array(path.utf8), key.bytes, Array(caller.utf8), body]
        // With its length before each part, so that no two lists of parts are the same bytes.
        let message = parts.flatMap { Array("\($0.count):".utf8) + $0 }
        return Hex.encode(SHA256.hash(message).prefix(byteCount))
    }
}

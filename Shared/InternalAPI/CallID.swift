import CryptoPrimitives

/// Identifies one call between our processes, so that a repeat is recognised and carried out only once.
///
/// Unlike the request's id it is never shown: someone who guessed it could pass off another call as a repeat.
package enum CallID {
    private static let byteCount = 16
    private static let use = "latchkey call-id v1"

    /// Returns a new call id from the system's random source: 32 hexadecimal digits.
    package static func random() -> String { Hex.encode(SecureRandom.bytes(byteCount)) }

    /// Returns the call id of a client's request with an `Idempotency-Key`: the same for each repeat, different for any
    /// other request.
    ///
    /// - Parameters:
    ///     - path: The operation's path.
    ///     - caller: The id of the user who makes the request; empty if the user is not signed in.
    ///     - body: The client's request body, unchanged.
    package static func of(_ path: String, key: IdempotencyKey, caller: String, body: [UInt8]) -> String {
        let parts = [Array(use.utf8), Array(path.utf8), key.bytes, Array(caller.utf8), body]
        // Each part follows its length, so that two different lists of parts never yield the same bytes.
        let message = parts.flatMap { Array("\($0.count):".utf8) + $0 }
        return Hex.encode(SHA256.hash(message).prefix(byteCount))
    }
}

import CryptoPrimitives

/// Proof that an answer comes from the service that was called, and answers this very call: the header `Latchkey-Answer`.
///
/// Form: `v1;<code>`. The code is HMAC-SHA256 with the key that asserted the call, over the call's nonce, the status and
/// SHA-256 of the body. Caller and service each make it of what they know.
package struct AnswerProof: Sendable {
    /// The header that carries it.
    package static let header = "Latchkey-Answer"
    private static let version = "v1;"
    /// Keeps codes of answers and of assertions apart, which have one key.
    private static let use = "answer v1\n"

    private let nonce: [UInt8]
    private let key: HMACSHA256

    init(nonce: CallNonce, key: HMACSHA256) {
        self.nonce = nonce.bytes
        self.key = key
    }

    /// The header's value for an answer.
    package func value(status: Int, body: Span<UInt8>) -> [UInt8] {
        var message = Array(Self.use.utf8)
        message.reserveCapacity(message.count + nonce.count + SHA256.byteCount + 4)
        message += nonce
        message += String(status).utf8
        message.append(UInt8(ascii: "\n"))
        message += SHA256.hash(body)
        return Array(Self.version.utf8) + Base64URL.encodedBytes(key.authenticate(message))
    }

    /// Whether `value` is the header's value for this answer; takes the same time wherever they differ.
    package func isGood(_ value: [UInt8], status: Int, body: Span<UInt8>) -> Bool {
        constantTimeEqual(value, self.value(status: status, body: body))
    }
}

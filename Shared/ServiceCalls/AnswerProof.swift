import CryptoPrimitives

/// Proof that a response comes from the called service, and belongs to this very call: the header `Latchkey-Answer`.
///
/// Form: `v1;<code>`. The code is HMAC-SHA256 with the key that asserted the call, over the call's nonce, the status and
/// SHA-256 of the body. Caller and service each compute it from their own data.
package struct AnswerProof: Sendable {
    /// The header that contains it.
    package static let header = "Latchkey-Answer"
    private static let version = "v1;"
    /// Separates the codes of responses from those of assertions, which use the same key.
    private static let use = "answer v1\n"

    private let nonce: [UInt8]
    private let key: HMACSHA256

    init(nonce: CallNonce, key: HMACSHA256) {
        self.nonce = nonce.bytes
        self.key = key
    }

    /// Returns the header's value for a response.
    package func value(status: Int, body: Span<UInt8>) -> [UInt8] {
        var message = Array(Self.use.utf8)
        message.reserveCapacity(message.count + nonce.count + SHA256.byteCount + 4)
        message += nonce
        message += String(status).utf8
        message.append(UInt8(ascii: "\n"))
        message += SHA256.hash(body)
        return Array(Self.version.utf8) + Base64URL.encodedBytes(key.authenticate(message))
    }

    /// Whether `value` is the header's value for this response, compared in constant time.
    package func isGood(_ value: [UInt8], status: Int, body: Span<UInt8>) -> Bool {
        constantTimeEqual(value, self.value(status: status, body: body))
    }
}

import CryptoPrimitives

/// Proof that a response comes from the called service, and belongs to this very call: the header `Latchkey-Answer`.
///
/// Form: `v1;<code>`, or `r1;<refusal>;<code>` for a call that is refused because of its times. The code is HMAC-SHA256 with the
/// key that asserted the call, over the call's nonce, the status and SHA-256 of the body, or over the nonce and the refusal. Caller
/// and service each compute it from their own data.
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

    /// Whether `value` is the header's value for this response. If it is a refusal of the call instead, notes that.
    package func isGood(_ value: [UInt8], status: Int, body: Span<UInt8>, _ refusals: CallRefusals) -> Bool {
        if let refusal = refusal(in: value) {
            refusals.note(refusal)
            return false
        }
        guard isGood(value, status: status, body: body) else { return false }
        refusals.noteSuccess()
        return true
    }

    /// Returns the header's value for a call that is refused because of its times.
    func value(refusal: CallRefusal) -> [UInt8] {
        Array(Self.refusalVersion.utf8) + refusal.text + [UInt8(ascii: ";")]
            + Base64URL.encodedBytes(key.authenticate(Array(Self.refusalUse.utf8) + nonce + refusal.text))
    }

    /// Returns the refusal that the header's value contains, or `nil` unless it is one of this call.
    package func refusal(in value: [UInt8]) -> CallRefusal? {
        guard value.starts(with: Self.refusalVersion.utf8) else { return nil }
        let text = value.dropFirst(Self.refusalVersion.utf8.count)
        guard let end = text.lastIndex(of: UInt8(ascii: ";")), let refusal = CallRefusal(text[..<end]),
            constantTimeEqual(value, self.value(refusal: refusal))
        else { return nil }
        return refusal
    }

    private static let refusalVersion = "r1;"
    private static let refusalUse = "refusal v1\n"
}

/// A service's refusal to carry out a call of one of us, because of the call's times. It carries a proof like a response.
package struct CallRefusal: Error, Sendable, Equatable {
    /// By how much the caller's wall clock is ahead of the service's, in milliseconds; negative if it is behind.
    package let aheadMilliseconds: Int64
    /// The challenge that the next attempt has to repeat.
    package let challenge: CallChallenge

    init(aheadMilliseconds: Int64, challenge: CallChallenge) {
        self.aheadMilliseconds = aheadMilliseconds
        self.challenge = challenge
    }

    init?(_ text: ArraySlice<UInt8>) {
        let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard parts.count == 2, let ahead = Int64(String(decoding: parts[0], as: UTF8.self)),
            let challenge = CallChallenge(parts[1])
        else { return nil }
        self.init(aheadMilliseconds: ahead, challenge: challenge)
    }

    var text: [UInt8] { Array(String(aheadMilliseconds).utf8) + [UInt8(ascii: ";")] + challenge.text }
}

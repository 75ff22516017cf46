package import CryptoPrimitives
package import InternalAPI
import ServiceKit

/// Makes the assertions of one process to one service.
package struct AssertionSigner: Sendable {
    /// The header that carries an assertion.
    package static let header = Assertion.header
    /// What makes an answer without proof, for the log; what comes of it is a failed call.
    package static let unprovenAnswer =
        "its answer is not proved: another version of Latchkey, another key or clock, or somebody between"

    private let caller: Caller
    private let service: String
    private let keys: KeyRing

    /// - Parameter service: short name of the process that is called, e.g. `token`.
    package init(caller: Caller, service: String, keys: KeyRing) {
        self.caller = caller
        self.service = service
        self.keys = keys
    }

    /// The assertion of one request; each try needs a fresh one.
    ///
    /// - Parameters:
    ///   - wait: how long the answer is waited for; at most 30 s.
    ///   - now: Unix time in milliseconds.
    package func sign(
        _ request: AssertedRequest, wait: Duration, now: Int64 = UnixTime.milliseconds()
    ) -> SignedCall {
        let nonce = CallNonce()
        let wait = Self.milliseconds(wait)
        let message = Assertion.message(
            caller: caller.rawValue, service: service, time: now, wait: wait, nonce: nonce, request: request)
        let assertion = Assertion(
            caller: caller.rawValue, keyID: keys.signing.id, time: now, wait: wait, nonce: nonce,
            code: keys.signing.hmac.authenticate(message))
        return SignedCall(text: assertion.text, proof: AnswerProof(nonce: nonce, key: keys.signing.hmac))
    }

    /// Rounded down: to say less than is waited costs nothing.
    private static func milliseconds(_ wait: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(wait, .zero), .milliseconds(Assertion.waitMillisecondsMax)).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

/// A call's assertion, and what its answer must prove.
package struct SignedCall: Sendable {
    /// The header's value.
    package let text: String
    package let proof: AnswerProof
}

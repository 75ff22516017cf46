package import CallDeadlines
package import CryptoPrimitives
package import InternalAPI
import ServiceKit

/// Creates the assertions of one process for one service.
package struct AssertionSigner: Sendable {
    /// The header that carries an assertion.
    package static let header = Assertion.header
    /// The log's description of a response without proof; such a call counts as failed.
    package static let unprovenAnswer =
        "its answer has no valid proof: another version of Latchkey, another key or clock, or somebody between"

    private let sender: AssertedSender
    private let service: String
    private let keys: KeyRing

    /// - Parameters:
    ///   - operatorName: The operator on whose behalf latchkeyctl calls; `nil` for other callers.
    ///   - service: The short name of the called process, e.g. `token`.
    package init(caller: Caller, operatorName: OperatorName? = nil, service: String, keys: KeyRing) {
        sender = AssertedSender(caller, operatorName)
        self.service = service
        self.keys = keys
    }

    /// Returns the assertion of one request; each attempt needs a new one.
    ///
    /// - Parameters:
    ///   - wait: How long the caller waits for the response; at most 30 s.
    ///   - challenges: The challenges with which replicas of the service refused the attempts before.
    ///   - now: The caller's clocks.
    package func sign(
        _ request: AssertedRequest, wait: Duration, answering challenges: [CallChallenge] = [], now: Moment = .now()
    ) -> SignedCall {
        let nonce = CallNonce()
        let challenge = CallChallenge.text(of: challenges)
        let times = CallTimes(time: now.wall, ticks: now.milliseconds, wait: Self.milliseconds(wait))
        let message = Assertion.message(
            caller: sender.text, service: service, times: times, nonce: nonce, challenge: challenge,
            request: request)
        let assertion = Assertion(
            caller: sender.text, keyID: keys.signing.id, times: times, nonce: nonce, challenge: challenge,
            code: keys.signing.hmac.authenticate(message))
        return SignedCall(text: assertion.text, proof: AnswerProof(nonce: nonce, key: keys.signing.hmac))
    }

    /// Rounded down, since it is harmless to state less than the real wait.
    private static func milliseconds(_ wait: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(wait, .zero), .milliseconds(Assertion.waitMillisecondsMax)).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

/// A call's assertion, and the data that its response must prove.
package struct SignedCall: Sendable {
    /// The header's value.
    package let text: String
    package let proof: AnswerProof
}

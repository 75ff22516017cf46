package import CallDeadlines
package import CryptoPrimitives
package import InternalAPI
package import ServiceCalls

/// The calls of a test that makes and verifies them itself.
///
/// Their clock stands still, an hour ahead, so that neither a challenge nor a deadline expires while the machine stalls.
package struct OwnCalls: Sendable {
    /// How long each call is waited for.
    package static let wait = Duration.seconds(30)

    package let verifier: AssertionVerifier
    package let moment: Moment
    private let service: String

    /// - Parameter keys: The keys that the service knows.
    package init(to service: String, keys: [Caller: KeyRing]) {
        let now = Moment.now()
        let moment = Moment(wall: now.wall, ticks: now.ticks + 3_600_000_000_000)
        self.service = service
        self.moment = moment
        verifier = AssertionVerifier(service: service, keys: keys, moment: { moment })
    }

    /// Returns the assertion of a call with the caller's keys.
    package func sign(_ request: AssertedRequest, as caller: Caller, keys: KeyRing) -> SignedCall {
        AssertionSigner(caller: caller, service: service, keys: keys)
            .sign(request, wait: Self.wait, answering: [verifier.challenge()], now: moment)
    }
}

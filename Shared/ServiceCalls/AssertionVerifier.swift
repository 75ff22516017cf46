package import CallDeadlines
package import CryptoPrimitives
package import InternalAPI
import ServiceKit

/// Why an assertion is refused; for the log and a metric, the caller hears only that it was.
package enum AssertionRefusal: String, Error, Sendable, CaseIterable {
    case missing, malformed, unknownCaller, unknownKey, forged, olderThanProcess, replayed
    /// Of another release of Latchkey.
    case otherVersion
    /// The caller waits no longer, or for less than the service keeps for itself; or its clock is behind.
    case late
    /// The caller's clock is ahead of the service's, or was just now.
    case ahead

    /// What the operator may look at, beside the reason itself.
    package var hint: String? {
        switch self {
        case .otherVersion: "processes of two versions run: update all at once"
        case .ahead: "the clocks of two hosts differ by more than 0.5 s: look after their time"
        case .late: "the service was overloaded or asleep, or the clocks of two hosts differ"
        default: nil
        }
    }
}

/// A call whose assertion is good.
package struct AcceptedCall: Sendable {
    package let caller: Caller
    /// Until when it may begin anything.
    package let deadline: CallDeadline
    /// For its answer.
    package let proof: AnswerProof
}

/// Checks the assertions that a service receives (security guide section 1, R-100).
package final class AssertionVerifier: Sendable {
    /// Furthest that a caller's clock may be ahead.
    package static let aheadMillisecondsMax: Int64 = 500
    /// What the service keeps of a caller's wait: for the commit of what has begun, the answer's way, and what the clocks
    /// differ by.
    package static let marginMilliseconds: Int64 = 1_000
    /// Twice the longest wait.
    private static let nonceMilliseconds = 2 * Assertion.waitMillisecondsMax

    private let service: String
    private let keys: [Caller: KeyRing]
    private let startedAt: Int64
    private let clocks = CallerClocks()
    private let nonces = NonceMemory(lifetimeMilliseconds: nonceMilliseconds)

    /// - Parameters:
    ///   - keys: the pair key of each process that may call.
    ///   - startedAt: Unix time in milliseconds; earlier assertions may have been used on a predecessor, and are refused.
    package init(service: String, keys: [Caller: KeyRing], startedAt: Int64 = UnixTime.milliseconds()) {
        self.service = service
        self.keys = keys
        self.startedAt = startedAt
    }

    /// Who made the request that carries `header`, and until when it may begin anything; the same assertion is good once.
    ///
    /// - Parameters:
    ///   - now: Unix time in milliseconds.
    ///   - ticks: nanoseconds by `BootClock`.
    package func verify(
        _ header: String?, of request: AssertedRequest, now: Int64 = UnixTime.milliseconds(),
        ticks: Int64 = BootClock.nanoseconds()
    ) throws(AssertionRefusal) -> AcceptedCall {
        guard let header else { throw .missing }
        let assertion = try Assertion(parsing: header)
        guard let caller = Caller(rawValue: assertion.caller), let ring = keys[caller] else { throw .unknownCaller }
        guard let key = ring[assertion.keyID] else { throw .unknownKey }
        let message = Assertion.message(
            caller: assertion.caller, service: service, time: assertion.time, wait: assertion.wait,
            nonce: assertion.nonce, request: request)
        guard key.hmac.isValid(assertion.code, for: message) else { throw .forged }
        let rest = try rest(of: assertion, now: now, ticks: ticks)
        guard assertion.time >= startedAt else { throw .olderThanProcess }
        guard nonces.insert(assertion.nonce.bytes, now: ticks / 1_000_000) else { throw .replayed }
        return AcceptedCall(
            caller: caller, deadline: CallDeadline(in: .milliseconds(rest), now: ticks),
            proof: AnswerProof(nonce: assertion.nonce, key: key.hmac))
    }

    /// Milliseconds that the service has, from the assertion's time on.
    private func rest(of assertion: Assertion, now: Int64, ticks: Int64) throws(AssertionRefusal) -> Int64 {
        // A time that a stranger chose is not asked for: this comes after the code was found good.
        let (age, isBeyond) = now.subtractingReportingOverflow(assertion.time)
        guard !isBeyond else { throw .malformed }
        guard clocks.fits(assertion.nonce.process, isAhead: -age > Self.aheadMillisecondsMax, ticks: ticks) else {
            throw .ahead
        }
        let rest = assertion.wait - Self.marginMilliseconds - max(0, age)
        guard rest > 0 else { throw .late }
        return rest
    }
}

package import CallDeadlines
package import CryptoPrimitives
package import InternalAPI
import ServiceKit

/// Why an assertion is refused; for the log and a metric. The caller learns only that it was refused.
package enum AssertionRefusal: String, Error, Sendable, CaseIterable {
    case missing, malformed, unknownCaller, unknownKey, forged, olderThanProcess, replayed
    /// The assertion is of another release of Latchkey.
    case otherVersion
    /// The caller no longer waits, or waits for less than the service reserves; or its clock is behind.
    case late
    /// The caller's clock is ahead of the service's, or was a moment ago.
    case ahead

    /// A hint for the operator, in addition to the reason.
    package var hint: String? {
        switch self {
        case .otherVersion: "processes of two versions run: update all at once"
        case .ahead: "the clocks of two hosts differ by more than 0.5 s: look after their time"
        case .late: "the service was overloaded or asleep, or the clocks of two hosts differ"
        default: nil
        }
    }
}

/// A call with a valid assertion.
package struct AcceptedCall: Sendable {
    package let caller: Caller
    /// The time until which the call may start a change.
    package let deadline: CallDeadline
    /// The proof for its response.
    package let proof: AnswerProof
}

/// Checks the assertions that a service receives (security guide section 1, R-100).
package final class AssertionVerifier: Sendable {
    /// The maximum time in milliseconds that a caller's clock may be ahead.
    package static let aheadMillisecondsMax: Int64 = 500
    /// The part of a caller's wait that the service reserves: for committing a change, for the response's way back, and for
    /// the difference of the clocks.
    package static let marginMilliseconds: Int64 = 1_000
    /// The lifetime of nonces: twice the longest wait.
    private static let nonceMilliseconds = 2 * Assertion.waitMillisecondsMax

    private let service: String
    private let keys: [Caller: KeyRing]
    private let startedAt: Int64
    private let clocks = CallerClocks()
    private let nonces = NonceMemory(lifetimeMilliseconds: nonceMilliseconds)

    /// - Parameters:
    ///   - keys: The pair key of each process that may call.
    ///   - startedAt: Unix time in milliseconds. Earlier assertions are refused, since they may have been used on a
    ///     predecessor of this process.
    package init(service: String, keys: [Caller: KeyRing], startedAt: Int64 = UnixTime.milliseconds()) {
        self.service = service
        self.keys = keys
        self.startedAt = startedAt
    }

    /// Returns the caller that made the request with `header`, and the time until which it may start a change; each
    /// assertion is accepted once.
    ///
    /// - Parameters:
    ///   - now: Unix time in milliseconds.
    ///   - ticks: Nanoseconds of `BootClock`.
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

    /// Returns the milliseconds that the service has from the assertion's time on.
    private func rest(of assertion: Assertion, now: Int64, ticks: Int64) throws(AssertionRefusal) -> Int64 {
        // Comes after the code was verified, so that the time is never one that an attacker chose.
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

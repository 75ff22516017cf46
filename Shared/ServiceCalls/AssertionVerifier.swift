package import CallDeadlines
package import CryptoPrimitives
package import InternalAPI
package import ServiceKit
import Synchronization

/// Why an assertion is refused; for the log and a metric.
package enum AssertionRefusal: String, Error, Sendable, CaseIterable {
    case missing, malformed, unknownCaller, unknownKey, forged, replayed
    /// The first call of a process since this one started, or an assertion from before. The next attempt repeats a challenge.
    case unknownProcess
    /// The assertion is of another release of Latchkey.
    case otherVersion
    /// The caller no longer waits, or waits for less than the service reserves.
    case late
    /// The caller's wall clock is ahead of the service's.
    case ahead
    /// The caller's wall clock is behind the service's.
    case behind

    /// A hint for the operator, in addition to the reason.
    package var hint: String? {
        switch self {
        case .otherVersion: "processes of two versions run: update all at once"
        case .ahead, .behind: "the clocks of two hosts differ by more than 0.5 s: check their time"
        case .late: "the service was overloaded or suspended"
        default: nil
        }
    }
}

/// An assertion that is refused.
package struct RefusedCall: Error, Sendable {
    package let reason: AssertionRefusal
    /// The value of the response's proof; `nil` for the assertion of an unknown sender, and for one that was used before.
    package let proof: [UInt8]?
    /// By how much the caller's wall clock is ahead, in milliseconds; negative if it is behind.
    package let aheadMilliseconds: Int64
    /// The caller; `nil` unless its code is valid.
    package let caller: Caller?

    init(
        _ reason: AssertionRefusal, proof: [UInt8]? = nil, aheadMilliseconds: Int64 = 0, caller: Caller? = nil
    ) {
        self.reason = reason
        self.proof = proof
        self.aheadMilliseconds = aheadMilliseconds
        self.caller = caller
    }
}

/// A call with a valid assertion.
package struct AcceptedCall: Sendable {
    package let caller: Caller
    /// The operator in the assertion of latchkeyctl; `nil` for other callers.
    package let operatorName: OperatorName?
    /// The time until which the call may start a change.
    package let deadline: CallDeadline
    /// The proof for its response.
    package let proof: AnswerProof
}

/// Checks the assertions that a service receives (security guide section 1, R-100).
///
/// Whether an assertion is new is decided by the monotonic clocks of both processes and by its nonce, whatever the wall clocks say.
/// The wall clocks are compared too, since tokens and grants contain times: a caller whose clock differs is refused.
package final class AssertionVerifier: Sendable {
    /// The maximum difference of two wall clocks, in milliseconds.
    package static let differenceMillisecondsMax: Int64 = 500
    /// The part of a caller's wait that the service reserves: for committing a change, and for the response's way back.
    package static let marginMilliseconds: Int64 = 1_000
    /// The lifetime of nonces: twice the longest wait.
    private static let nonceMilliseconds = 2 * Assertion.waitMillisecondsMax

    private let service: String
    private let keys: [Caller: KeyRing]
    private let clocks: ClockPeers
    private let moment: @Sendable () -> Moment
    private let run = CallChallenge.newRun()
    private let callers = Mutex(CallerTimes())
    private let nonces = NonceMemory(lifetimeMilliseconds: nonceMilliseconds)

    /// - Parameters:
    ///   - keys: The pair key of each process that may call.
    ///   - clocks: Learns how the callers' clocks differ.
    ///   - moment: Reads our clocks; tests set them.
    package init(
        service: String, keys: [Caller: KeyRing], clocks: ClockPeers = ClockPeers(),
        moment: @escaping @Sendable () -> Moment = { .now() }
    ) {
        self.service = service
        self.keys = keys
        self.clocks = clocks
        self.moment = moment
    }

    /// Returns the challenge that a caller's first assertion has to repeat.
    package func challenge(now: Moment? = nil) -> CallChallenge {
        CallChallenge(run: run, sentAt: (now ?? moment()).milliseconds)
    }

    /// Returns the caller that made the request with `header`, and the time until which it may start a change; each
    /// assertion is accepted once, and none from before this process started.
    ///
    /// - Parameter now: Our clocks; `nil` to read them.
    package func verify(
        _ header: String?, of request: AssertedRequest, now: Moment? = nil
    ) throws(RefusedCall) -> AcceptedCall {
        let now = now ?? moment()
        let (assertion, sender, key) = try authenticated(header, request)
        let proof = AnswerProof(nonce: assertion.nonce, key: key.hmac)
        let process = CallerTimes.Process(caller: sender.caller, id: assertion.nonce.process)
        let age = callers.withLock {
            $0.age(
                ofCallBy: process, sentAt: assertion.times.ticks, challengedAt: challengeTime(of: assertion),
                now: now.milliseconds)
        }
        // Comes after the code was verified, so that the times are never ones that an attacker chose.
        let ahead = Self.certainDifference(assertion.times.time - now.wall, age: age ?? 0)
        let reason = Self.refusal(of: assertion.times, age: age, ahead: ahead)
        // The age of a late call is uncertain, if its process was suspended.
        let isCertain = reason != .unknownProcess && reason != .late
        if isCertain { note(process, ahead) }
        if let reason {
            let refusal = CallRefusal(aheadMilliseconds: isCertain ? ahead : 0, challenge: challenge(now: now))
            throw RefusedCall(
                reason, proof: proof.value(refusal: refusal), aheadMilliseconds: refusal.aheadMilliseconds,
                caller: sender.caller)
        }
        guard nonces.insert(assertion.nonce.bytes, now: now.milliseconds) else { throw RefusedCall(.replayed) }
        let rest = assertion.times.wait - Self.marginMilliseconds - (age ?? 0)
        return AcceptedCall(
            caller: sender.caller, operatorName: sender.operatorName,
            deadline: CallDeadline(in: .milliseconds(rest), now: now.ticks), proof: proof)
    }

    private func authenticated(
        _ header: String?, _ request: AssertedRequest
    ) throws(RefusedCall) -> (Assertion, AssertedSender, KeyRing.Key) {
        guard let header else { throw RefusedCall(.missing) }
        let assertion: Assertion
        do { assertion = try Assertion(parsing: header) } catch { throw RefusedCall(error) }
        guard let sender = AssertedSender(assertion.caller), let ring = keys[sender.caller] else {
            throw RefusedCall(.unknownCaller)
        }
        guard let key = ring[assertion.keyID] else { throw RefusedCall(.unknownKey) }
        let message = Assertion.message(
            caller: assertion.caller, service: service, times: assertion.times, nonce: assertion.nonce,
            challenge: assertion.challenge, request: request)
        guard key.hmac.isValid(assertion.code, for: message) else { throw RefusedCall(.forged) }
        return (assertion, sender, key)
    }

    /// Returns when this process sent the challenge that an assertion repeats, or `nil` if it repeats none of this process.
    private func challengeTime(of assertion: Assertion) -> Int64? {
        CallChallenge.all(in: assertion.challenge).first { $0.run == run }?.sentAt
    }

    /// Returns by how much a caller's wall clock is ahead at least; negative if it is behind.
    ///
    /// - Parameters:
    ///   - difference: The time at which the caller made the call less our time now, in milliseconds.
    ///   - age: The longest time that the call may have been on its way.
    static func certainDifference(_ difference: Int64, age: Int64) -> Int64 {
        difference > 0 ? difference : min(0, difference + age)
    }

    /// Decides whether the times of a call are those of one that may be carried out.
    ///
    /// - Parameters:
    ///   - age: Its age in milliseconds, or `nil` if that is not known.
    ///   - ahead: By how much the caller's wall clock is ahead of ours, in milliseconds.
    static func refusal(of times: CallTimes, age: Int64?, ahead: Int64) -> AssertionRefusal? {
        guard let age else { return .unknownProcess }
        guard times.wait - marginMilliseconds - age > 0 else { return .late }
        if ahead > differenceMillisecondsMax { return .ahead }
        return ahead < -differenceMillisecondsMax ? .behind : nil
    }

    /// Notes how a caller's clock differs. An operator's command is no process whose clock anything depends on.
    private func note(_ process: CallerTimes.Process, _ ahead: Int64) {
        guard process.caller != .control else { return }
        let name = "\(process.caller.rawValue) (\(Hex.encode(BigEndian.bytes(process.id, count: 6))))"
        clocks.note(name, ahead: ahead.magnitude > UInt64(Self.differenceMillisecondsMax) ? ahead : nil)
    }
}

import Policies

@testable import OTPCore

extension CodeModel {
    enum Kind { case sent, failed, right, wrong, undecided }

    struct Event {
        var kind: Kind
        /// The scope; `nil` after an unlock.
        var isKnown: Bool?
        let time: Int64
        var call: [UInt8]?
    }

    struct Challenge {
        let seed: ChallengeSeed
        var proof: [UInt8]
        let channel: PhoneChannel?
        var tries: [Bool: Int] = [:]
        var wanted = false
        var approvedAt: Int64?
        var isManaged: Bool { proof == SendAttempt.providersProof }

        /// The end of the time in which an unrecognised client cannot replace it.
        func ownersEnd(_ policy: OTPPolicy) -> Int64 {
            if let approvedAt { return approvedAt + policy.approvedSeconds }
            return tries[true, default: 0] < policy.attemptsPerChallenge ? seed.created + policy.lifetimeSeconds : 0
        }

        func approval(_ proof: [UInt8], _ policy: OTPPolicy, _ now: Int64) -> GuessVerdict? {
            guard let approvedAt, self.proof == proof, approvedAt + policy.approvedSeconds > now else { return nil }
            return .approved(seed, expiresAt: approvedAt + policy.approvedSeconds)
        }

        mutating func exhaust(_ policy: OTPPolicy) {
            tries = [true: policy.attemptsPerChallenge, false: policy.attemptsPerChallenge]
        }
    }

    struct Number {
        var events: [Event] = []
        var challenge: Challenge?
        var locked: [Bool: Int64] = [:]
        var networks: Set<[UInt8]> = []
        var (bad, late): ([PhoneChannel: Int64], [PhoneChannel: Int64]) = ([:], [:])

        func isKnown(_ subject: CallSubject) -> Bool { subject.isVouchedFor || networks.contains(subject.blockTag) }

        func earlier(_ call: [UInt8], _ kinds: Set<Kind>, _ now: Int64) -> Int? {
            events.firstIndex {
                $0.call == call && kinds.contains($0.kind) && $0.time + ScriptRules.callMemorySeconds > now
            }
        }

        func times(_ kinds: Set<Kind>, _ isKnown: Bool) -> [Int64] {
            events.filter { kinds.contains($0.kind) && $0.isKnown == isKnown }.map(\.time)
        }

        /// The seconds until one more event fits under each limit.
        func wait(_ kinds: Set<Kind>, _ isKnown: Bool, _ limits: [RateLimit], _ now: Int64) -> Int64 {
            let times = times(kinds, isKnown)
            return limits.map { limit in
                times.count < limit.max ? 0 : max(0, times[times.count - limit.max] + limit.windowSeconds - now)
            }.max() ?? 0
        }

        /// For each failure the end of the lockout that it causes, or 0.
        func lockEnds(_ isKnown: Bool, _ policy: OTPPolicy) -> [Int64] {
            let times = times([.wrong, .undecided], isKnown)
            return times.indices.map { index in
                policy.lockouts.filter {
                    index + 1 >= $0.failures && times[index] - times[index + 1 - $0.failures] < $0.withinSeconds
                }.map { times[index] + $0.lockSeconds }.max() ?? 0
            }
        }

        mutating func add(_ kind: Kind, _ subject: CallSubject, _ isKnown: Bool) {
            events.append(Event(kind: kind, isKnown: isKnown, time: subject.now, call: subject.callTag))
        }

        mutating func approve(_ subject: CallSubject, _ policy: OTPPolicy) -> GuessVerdict {
            guard let challenge else { return .unknown }
            self.challenge?.approvedAt = subject.now
            networks.insert(subject.blockTag)
            return .approved(challenge.seed, expiresAt: subject.now + policy.approvedSeconds)
        }
    }
}

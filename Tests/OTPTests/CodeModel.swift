import Policies

@testable import OTPCore

/// The rules of codes as a value: what the functions in Redis have to decide, from complete histories.
///
/// It has no closed app, no mails, no review access and one purpose; other suites have those.
struct CodeModel {
    let (policy, spend): (OTPPolicy, SpendPolicy)
    private var numbers: [[UInt8]: Number] = [:]
    private var counts: [String: Int] = [:]
    private var spent: [String: Int64] = [:]

    init(_ policy: OTPPolicy, _ spend: SpendPolicy) { (self.policy, self.spend) = (policy, spend) }

    mutating func admit(_ send: SendAttempt) -> SendVerdict {
        let (subject, now, isManaged) = (send.subject, send.subject.now, send.proof == SendAttempt.providersProof)
        var number = number(subject.recipient, now)
        defer { numbers[subject.recipient.bytes] = number }
        let (isKnown, earlier) = (number.isKnown(subject), number.earlier(subject.callTag, [.sent, .failed], now))
        if earlier.map({ number.events[$0].kind }) == .sent { return .repeated(failed: false) }
        let (bad, late) = (Set(number.bad.keys), Set(number.late.keys))
        if bad.isSuperset(of: send.channels) { return .badNumber }
        if earlier != nil { return .repeated(failed: true) }
        let old = number.challenge
        let isKept = old.map {
            $0.approvedAt == nil && $0.seed.created + policy.lifetimeSeconds > now && $0.isManaged == isManaged
                && $0.tries[isKnown, default: 0] < policy.attemptsPerChallenge
        }
        let isOwners = isKept != true && !isKnown && old?.wanted == true
        let refusal = longest(
            [
                (.lockout, number.locked[isKnown, default: 0] - now),
                (.phone, number.wait([.sent, .failed], isKnown, policy.sendsPerRecipient, now)),
                (.challenge, isOwners ? old.map { $0.ownersEnd(policy) - now } ?? 0 : 0),
                (.budget, budgetWait(send.charge, isKnown, now)),
            ], subject, isKnown)
        if let refusal { return .limited(rule: refusal.rule, retryAfterSeconds: refusal.wait) }
        let made = isKept == true ? old?.seed.created : nil
        let follows =
            isKept == true && isManaged
            ? false
            : isKept != true && old.map { $0.seed.created + 600 > now } == true
                || number.events.contains {
                    [.sent, .failed].contains($0.kind) && $0.time < made ?? .max && $0.time + 600 > now
                }
        number.add(.sent, subject, isKnown)
        count(subject, isKnown)
        if isKept != true {
            number.challenge = Challenge(seed: send.challenge, proof: send.proof, channel: send.channels.first)
        }
        if isKnown { number.challenge?.wanted = true }
        if let charge = send.charge, send.paidChannel(bad: bad, late: late) != nil {
            for key in charge.keys { spent[key, default: 0] += charge.price }
        }
        return .send(number.challenge?.seed ?? send.challenge, bad: bad, late: late, followsAnother: follows)
    }

    mutating func judge(_ guess: Guess) -> GuessVerdict {
        let (subject, now) = (guess.subject, guess.subject.now)
        var number = number(subject.recipient, now)
        defer { numbers[subject.recipient.bytes] = number }
        let isKnown = number.isKnown(subject)
        if guess.isMalformed {
            if let full = longest([], subject, isKnown) {
                return .limited(rule: full.rule, retryAfterSeconds: full.wait)
            }
            count(subject, isKnown)
            return .malformed
        }
        let again = number.challenge?.approval(guess.proof, policy, now)
        if let earlier = number.earlier(subject.callTag, [.right, .wrong, .undecided], now) {
            switch number.events[earlier].kind {
            case .wrong: return .wrongCode
            case .undecided: return .undecided
            default:
                let isNext = number.challenge.map { $0.approvedAt == nil && !$0.isManaged && $0.proof == guess.proof }
                if isNext != true { return again ?? .used }
            }
        }
        let isAsked = number.challenge.map { $0.isManaged && $0.approvedAt == nil } ?? false
        if isAsked && guess.isProviderAway && !guess.isLink { return .providerAway }
        let refusal = longest(attemptWaits(number, isKnown, now), subject, isKnown)
        if longest([], subject, isKnown) == nil { count(subject, isKnown) }
        if let refusal { return .limited(rule: refusal.rule, retryAfterSeconds: refusal.wait) }
        if guess.isLink && number.challenge?.proof != guess.proof { return .wrongCode }
        guard var challenge = number.challenge else { return .unknown }
        if challenge.approvedAt == nil && challenge.seed.created + policy.lifetimeSeconds <= now { return .expired }
        if challenge.tries[isKnown, default: 0] >= policy.attemptsPerChallenge {
            var wait = max(1, number.wait([.sent, .failed], isKnown, policy.sendsPerRecipient, now))
            if !isKnown && challenge.wanted && challenge.tries[true, default: 0] < policy.attemptsPerChallenge {
                let lifetimeEnd = challenge.seed.created + policy.lifetimeSeconds
                wait = max(wait, (challenge.approvedAt.map { $0 + policy.approvedSeconds } ?? lifetimeEnd) - now)
            }
            return .limited(rule: .challenge, retryAfterSeconds: wait)
        }
        if let again { return again }
        challenge.tries[isKnown, default: 0] += 1
        number.challenge = challenge
        let isRight = !isAsked && guess.proof == challenge.proof
        number.add(isAsked ? .undecided : isRight ? .right : .wrong, subject, isKnown)
        if !isRight {
            number.locked[isKnown] = max(number.locked[isKnown, default: 0], number.lockEnds(isKnown, policy).last ?? 0)
            return isAsked ? .ask(challenge.seed, channel: challenge.channel ?? .sms) : .wrongCode
        }
        return challenge.approvedAt == nil ? number.approve(subject, policy) : .used
    }

    mutating func settle(_ guess: Guess, of seed: ChallengeSeed, as word: ProviderWord) -> GuessVerdict {
        let (subject, now) = (guess.subject, guess.subject.now)
        var number = number(subject.recipient, now)
        defer { numbers[subject.recipient.bytes] = number }
        guard let index = number.earlier(subject.callTag, [.undecided], now) else { return .undecided }
        let isKnown = number.events[index].isKnown ?? false
        number.events[index].kind = word == .wrong ? .wrong : .right
        if word == .wrong { return .wrongCode }
        number.locked[isKnown] = min(number.locked[isKnown, default: 0], number.lockEnds(isKnown, policy).max() ?? 0)
        guard let challenge = number.challenge, challenge.seed == seed else { return .expired }
        if challenge.approvedAt != nil { return challenge.approval(guess.proof, policy, now) ?? .used }
        if word == .right {
            number.challenge?.proof = guess.proof
            return number.approve(subject, policy)
        }
        number.challenge?.exhaust(policy)
        number.events[index].call = nil
        let wait = max(1, number.wait([.sent, .failed], isKnown, policy.sendsPerRecipient, now))
        return word == .gone ? .expired : .limited(rule: .challenge, retryAfterSeconds: wait)
    }

    mutating func admitVerified(_ subject: CallSubject) -> AdmissionVerdict {
        var number = number(subject.recipient, subject.now)
        defer { numbers[subject.recipient.bytes] = number }
        if number.earlier(subject.callTag, [.right], subject.now) != nil { return .admitted }
        let isKnown = number.isKnown(subject)
        let refusal = longest(attemptWaits(number, isKnown, subject.now), subject, isKnown)
        if longest([], subject, isKnown) == nil { count(subject, isKnown) }
        if let refusal { return .limited(rule: refusal.rule, retryAfterSeconds: refusal.wait) }
        number.add(.right, subject, isKnown)
        number.networks.insert(subject.blockTag)
        return .admitted
    }

    mutating func noteOutcome(of send: SendAttempt, _ outcome: SendOutcome, bad: Set<PhoneChannel>) {
        var number = number(send.subject.recipient, send.subject.now)
        for channel in bad { number.bad[channel] = send.subject.now + 86_400 }
        if outcome != .taken, let sent = number.earlier(send.subject.callTag, [.sent], send.subject.now) {
            number.events[sent].kind = .failed
        }
        if outcome == .unclosed && number.challenge?.isManaged == true { number.challenge?.exhaust(policy) }
        numbers[send.subject.recipient.bytes] = number
    }

    mutating func noteUndelivered(_ recipient: RecipientTag, by channel: PhoneChannel, now: Int64) {
        var number = number(recipient, now)
        if number.events.contains(where: { [.sent, .failed].contains($0.kind) }) {
            number.late[channel] = now + 86_400
        }
        numbers[recipient.bytes] = number
    }

    /// Forgets all networks, whatever their day.
    mutating func forgetNetworks(of recipient: RecipientTag) { numbers[recipient.bytes]?.networks = [] }

    mutating func unlock(_ recipient: RecipientTag, now: Int64) -> Bool {
        var number = number(recipient, now)
        defer { numbers[recipient.bytes] = number }
        let isLocked = !number.locked.isEmpty || number.challenge != nil || number.events.contains { $0.isKnown != nil }
        (number.locked, number.challenge) = ([:], nil)
        for index in number.events.indices {
            number.events[index].isKnown = nil
            if number.events[index].kind == .undecided { number.events[index].kind = .wrong }
        }
        return isLocked
    }

    /// A number as it is remembered at a time.
    private func number(_ recipient: RecipientTag, _ now: Int64) -> Number {
        var number = numbers[recipient.bytes] ?? Number()
        let rules = ScriptRules(policy: policy, all: [])
        number.events.removeAll {
            $0.time + ([.sent, .failed].contains($0.kind) ? rules.sendMemorySeconds : rules.attemptMemorySeconds) <= now
        }
        if number.challenge.map({ $0.seed.created + rules.challengeMemorySeconds <= now }) == true {
            number.challenge = nil
        }
        number.locked = number.locked.filter { $0.value > now }
        (number.bad, number.late) = (number.bad.filter { $0.value > now }, number.late.filter { $0.value > now })
        return number
    }

    private func attemptWaits(_ number: Number, _ isKnown: Bool, _ now: Int64) -> [(rule: LimitRule, wait: Int64)] {
        [
            (.lockout, number.locked[isKnown, default: 0] - now),
            (.phone, number.wait([.right, .wrong, .undecided], isKnown, policy.attemptsPerRecipient, now)),
        ]
    }

    /// The first of the longest waits, among these and the full windows.
    private func longest(
        _ waits: [(rule: LimitRule, wait: Int64)], _ subject: CallSubject, _ isKnown: Bool
    ) -> (rule: LimitRule, wait: Int64)? {
        let full = subject.windows.filter { window in
            (isKnown ? window.knownMax : window.unrecognisedMax).map { counts[window.key, default: 0] >= $0 } ?? false
        }
        let all = waits + full.map { ($0.rule, $0.endsAt - subject.now) }
        return all.filter { $0.wait > 0 }.reduce(nil) { best, next in
            best.map { $0.wait >= next.wait ? $0 : next } ?? next
        }
    }

    private mutating func count(_ subject: CallSubject, _ isKnown: Bool) {
        for window in subject.windows where (isKnown ? window.knownMax : window.unrecognisedMax) != nil {
            counts[window.key, default: 0] += 1
        }
    }

    private func budgetWait(_ charge: SpendCharge?, _ isKnown: Bool, _ now: Int64) -> Int64 {
        guard let charge else { return 0 }
        let budgets: [(key: String, seconds: Int64, budget: Int64?)] = [
            (charge.keys[0], 3_600, spend.budget.hour), (charge.keys[0], 3_600, charge.hourBudget),
            (charge.keys[1], 86_400, spend.budget.day), (charge.keys[1], 86_400, charge.dayBudget),
        ]
        return budgets.filter { key, _, budget in
            let usable = budget.map { isKnown ? $0 : $0 * Int64(spend.strangersPercent) / 100 }
            return usable.map { spent[key, default: 0] + charge.price > $0 } ?? false
        }.map { $0.seconds - now % $0.seconds }.max() ?? 0
    }
}

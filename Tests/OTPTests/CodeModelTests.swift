import InternalAPI
import Policies
import TestSupport
import Testing

@testable import OTPCore

/// Compares the functions in Redis with a model of their rules, on random runs.
@Suite(.timeLimit(.minutes(5))) struct CodeModelTests {
    @Test func `the functions decide as the model does`() async throws {
        try await withFixture(Self.policy, spend: Self.spend, redisSeconds: 1_000) { fixture async throws in
            let place = try #require(ChallengePlace(.signIn, in: Dialect.native))
            for seed in Array(1...24) + [UInt64.random(in: 25 ... .max)] {
                var run = Run(seed: seed, fixture.store, place)
                for step in 1...200 { try await run.step("seed \(seed), step \(step)") }
            }
        }
    }

    /// Small limits, so that a short run reaches each of them.
    private static var policy: OTPPolicy {
        var policy = OTPPolicy.howru
        (policy.recordOutlivesSeconds, policy.attemptsPerChallenge) = (600, 4)
        policy.sendsPerRecipient = [RateLimit(max: 4, windowSeconds: 300), RateLimit(max: 6, windowSeconds: 900)]
        policy.attemptsPerRecipient = [RateLimit(max: 8, windowSeconds: 600)]
        policy.lockouts = [
            Lockout(failures: 3, withinSeconds: 200, lockSeconds: 150),
            Lockout(failures: 5, withinSeconds: 900, lockSeconds: 700),
        ]
        return policy
    }

    private static var spend: SpendPolicy {
        var spend = SpendPolicy()
        (spend.mode, spend.strangersPercent) = (.enforce, 60)
        (spend.budget.hour, spend.budget.day) = (1_000, 6_000)
        return spend
    }

    /// One random run with two phone numbers, three networks and the counters that both share.
    private struct Run {
        private let store: RedisChallengeStore
        private let seed: UInt64
        private var model = CodeModel(CodeModelTests.policy, CodeModelTests.spend)
        private var random: SeededGenerator
        private var now = CodeFixture.start
        private let recipients: [RecipientTag]
        private let place: ChallengePlace
        private var calls: UInt16 = 0
        private var sends: [SendAttempt] = []
        private var guesses: [Guess] = []
        private var asked: [(guess: Guess, seed: ChallengeSeed)] = []

        init(seed: UInt64, _ store: RedisChallengeStore, _ place: ChallengePlace) {
            var random = SeededGenerator(seed: seed)
            recipients = (0..<2).map { _ in
                RecipientTag(bytes: [UInt8].random(RecipientTag.byteCount, using: &random))
            }
            (self.seed, self.store, self.place, self.random) = (seed, store, place, random)
        }

        mutating func step(_ name: Comment) async throws {
            now += [0, 0, 1, 1, 2, 3, 5, 8, 20, 60, 200, 700].randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30: try await request(name)
            case 30..<70: try await guess(name)
            case 70..<83: try await settle(name)
            case 83..<88:
                let subject = subject(max: 9)
                #expect(try await store.admitVerified(subject) == model.admitVerified(subject), name)
            case 88..<92:
                guard let send = sends.randomElement(using: &random).map(repeated) else { return }
                let outcome = [SendOutcome.taken, .failed, .unclosed].randomElement(using: &random) ?? .taken
                let bad = Set(PhoneChannel.allCases.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
                try await store.noteOutcome(of: send, outcome, bad: bad)
                model.noteOutcome(of: send, outcome, bad: bad)
            case 92..<94:
                let (recipient, channel) = (recipient(), PhoneChannel.allCases.randomElement(using: &random) ?? .sms)
                try await store.noteUndelivered(recipient, by: channel, now: now)
                model.noteUndelivered(recipient, by: channel, now: now)
            case 94..<98:
                let recipient = recipient()
                try await store.forgetNetworks(of: recipient, until: now, codesUntil: nil, now: now)
                model.forgetNetworks(of: recipient)
            case 98: now += 86_400
            default:
                let recipient = recipient()
                #expect(try await store.unlock(recipient, now: now) == model.unlock(recipient, now: now), name)
            }
        }

        private mutating func request(_ name: Comment) async throws {
            var send = SendAttempt(
                subject: subject(max: 12),
                challenge: ChallengeSeed(created: now, salt: [UInt8].random(2, using: &random)),
                proof: Bool.random(using: &random) ? proof() : SendAttempt.providersProof)
            send.channels = Array(
                PhoneChannel.allCases.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            send.charge = SpendCharge(
                row: "+1", price: 50, hourBudget: 800, dayBudget: nil,
                keys: ["hour:\(seed):\(now / 3_600)", "day:\(seed):\(now / 86_400)"])
            if let earlier = sends.last, Int.random(in: 0..<8, using: &random) == 0 {
                send = repeated(earlier)
            }
            sends.append(send)
            let (verdict, expected) = (try await store.admit(send), model.admit(send))
            #expect(withoutNews(verdict) == withoutNews(expected), name)
        }

        private mutating func guess(_ name: Comment) async throws {
            var guess = Guess(subject: subject(max: 15), proof: proof())
            (guess.isLink, guess.isMalformed, guess.isProviderAway) = (isRare(), isRare(), isRare())
            if let earlier = guesses.last, isRare() {
                guess = earlier
                guess.subject.now = now
            }
            guesses.append(guess)
            let verdict = try await store.judge(guess)
            #expect(verdict == model.judge(guess), name)
            if case .ask(let seed, _) = verdict { asked.append((guess, seed)) }
        }

        private mutating func settle(_ name: Comment) async throws {
            guard let seed = asked.last?.seed, var guess = asked.last?.guess else { return }
            guess.subject.now = now
            let word = [ProviderWord.right, .right, .wrong, .usedUp, .gone].randomElement(using: &random) ?? .right
            #expect(try await store.settle(guess, of: seed, as: word) == model.settle(guess, of: seed, as: word), name)
        }

        private mutating func subject(max: Int) -> CallSubject {
            calls += 1
            let block = UInt8.random(in: 1...3, using: &random)
            let ends = now - now % 600 + 600
            return CallSubject(
                recipient: recipient(), place: place,
                blockTag: [0, 0, 0, block],
                isVouchedFor: isRare(),
                windows: [
                    LimitWindow(
                        rule: .address, key: "window:\(seed):\(ends):\(block):\(max)", field: [block],
                        unrecognisedMax: max, knownMax: block == 1 ? nil : max + 2, endsAt: ends)
                ], callTag: [0, UInt8(calls >> 8), UInt8(calls & 255)], now: now)
        }

        /// One of the few proofs that codes have in a run.
        private mutating func proof() -> [UInt8] { [0, 0, 0, 0, UInt8.random(in: 1...2, using: &random)] }
        private mutating func recipient() -> RecipientTag { recipients.randomElement(using: &random) ?? recipients[0] }
        private mutating func isRare() -> Bool { Int.random(in: 0..<10, using: &random) == 0 }

        /// A repeat of the call at this time.
        private func repeated(_ send: SendAttempt) -> SendAttempt {
            var subject = send.subject
            subject.now = now
            return SendAttempt(
                subject: subject, challenge: ChallengeSeed(created: now, salt: send.challenge.salt), proof: send.proof,
                channels: send.channels,
                charge: send.charge)
        }

        private func withoutNews(_ verdict: SendVerdict) -> SendVerdict {
            switch verdict {
            case .send(let seed, let bad, let late, let follows, _):
                .send(seed, bad: bad, late: late, followsAnother: follows)
            case .limited(let rule, let wait, _): .limited(rule: rule, retryAfterSeconds: wait)
            default: verdict
            }
        }
    }
}

extension [UInt8] {
    fileprivate static func random(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255, using: &random) }
    }
}

import FoundationEssentials
import Glibc
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// Codes that are guessed at, over two replicas (security guide, I-5 and I-7); in full by `deploy/attack`.
    @Suite(.serialized, .timeLimit(.minutes(60)), .stack(["LATCHKEY_REPLICAS": "otp=2"])) struct GuessFloodTests {
        private static let challenges = LongRun.isOn ? 200 : 8
        private static let guesses = LongRun.isOn ? 1_000 : 200
        private static let attemptsMax = 5
        /// With 200 codes and five guesses out of a thousand at each, more guesses than this are right once in a thousand
        /// runs.
        private static let successesMax = 6
        /// A guess whose call has the tag of an earlier one at its number (three bytes) is answered as its repeat, without
        /// being compared: with 200 codes and a thousand guesses at each more than so many are once in thirty thousand runs.
        private static let takenForRepeatsMax = 2

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// Each from a network of its own, so that none becomes known by another's success.
        private static func stranger(_ number: Int) -> String { "11.\(number / 250).\(number % 250).1" }

        /// All in one network.
        private static func home(_ number: Int) -> String { "12.1.1.\(number % 250)" }

        @Test(.onFiles) func `of a flood of guesses no more are judged than allowed, and few are right`() async throws {
            try await OTPReplicas.run(stack) { replicas in
                var total = Tally()
                let start = try DatabaseCheck(of: stack).newestUserRecord()
                for _ in 0..<Self.challenges {
                    let (phone, code) = try await freshChallenge(replicas)
                    let tally = try await flood(replicas, phone, Self.guesses(around: code), from: Self.stranger)
                    #expect(tally.judged <= Self.attemptsMax + Self.takenForRepeatsMax)
                    // A guess without an answer (a timeout under load) was not approved.
                    #expect(tally.judged + tally.unanswered >= Self.attemptsMax)
                    #expect(tally.judged + tally.refused + tally.unanswered == Self.guesses)
                    // A code that was right may be presented again for a minute.
                    let again = try await replicas.verify(phone, code, from: Self.stranger(0), turn: 0)?.result
                    #expect(tally.approved > 0 || again != .approved)
                    total += tally
                }
                let compared = try await comparisons(after: start, replicas)
                #expect(compared.count == Self.challenges)
                #expect(compared.allSatisfy { $0 <= Self.attemptsMax }, "\(compared)")
                #expect(total.judged - compared.reduce(0, +) <= Self.takenForRepeatsMax)
                // Binomial: more than these happen once in a thousand times at most.
                let expected = Double(Self.challenges * Self.attemptsMax) / Double(Self.guesses)
                #expect(Double(total.approved) <= expected + 5 * max(1, expected).squareRoot())
                if LongRun.isOn { #expect(total.approved <= Self.successesMax) }
                LongRun.report("guesses: \(Self.challenges) codes × \(Self.guesses) guesses: \(total)")
            }
        }

        @Test func `restarts of otp-service and Redis under a flood give no guess back`() async throws {
            let restarts = LongRun.isOn ? 12 : 1
            let isOver = Flag()
            async let restarted: Void = restartAll(restarts, then: isOver)
            var (total, count) = (Tally(), 0)
            while !isOver.isSet || (LongRun.isOn && count < Self.challenges) {
                // Connections of their own, since a pool waits ever longer after each restart.
                let tally = try await OTPReplicas.run(stack) { replicas in
                    let (phone, code) = try await freshChallenge(replicas)
                    let tally = try await flood(replicas, phone, Self.guesses(around: code), from: Self.stranger)
                    let again = try await replicas.verify(phone, code, from: Self.stranger(0), turn: 0)?.result
                    #expect(tally.judged < Self.attemptsMax || tally.approved > 0 || again != .approved)
                    return tally
                }
                #expect(tally.judged <= Self.attemptsMax)
                total += tally
                count += 1
            }
            try await restarted
            if LongRun.isOn { #expect(total.approved <= Self.successesMax * max(1, count / Self.challenges)) }
            LongRun.report(
                "restarts: \(restarts) times each process, \(count) codes × \(Self.guesses) guesses: \(total)")
        }

        private func restartAll(_ count: Int, then isOver: Flag) async throws {
            defer { isOver.set() }
            for _ in 0..<count {
                for name in ["otp", "redis", "otp-2"] { try await stack.restart(name, by: SIGKILL) }
            }
            try await stack.untilReady()
        }

        @Test func `known callers and strangers have their guesses apart, and no more`() async throws {
            try await OTPReplicas.run(stack) { replicas in
                var totals = (known: Tally(), strangers: Tally())
                for _ in 0..<(LongRun.isOn ? 50 : 2) {
                    let (phone, first) = try await freshChallenge(replicas)
                    #expect(try await replicas.verify(phone, first, from: Self.home(0), turn: 0)?.result == .approved)
                    _ = try await replicas.request(phone, from: Self.home(1), turn: 1)
                    let guesses = Self.guesses(around: try await stack.code(for: phone))
                    async let known = flood(replicas, phone, guesses, from: Self.home)
                    async let strangers = flood(replicas, phone, guesses.reversed(), from: Self.stranger)
                    let tallies = (known: try await known, strangers: try await strangers)
                    #expect(tallies.known.judged <= Self.attemptsMax && tallies.strangers.judged <= Self.attemptsMax)
                    totals.known += tallies.known
                    totals.strangers += tallies.strangers
                }
                LongRun.report("scopes: known: \(totals.known); strangers: \(totals.strangers)")
            }
        }

        @Test func `a lockout outlives restarts of otp-service and Redis, for the code that was sent before it`()
            async throws
        {
            let (phone, code) = try await OTPReplicas.run(stack) { replicas in
                let (phone, code) = try await freshChallenge(replicas)
                let guesses = Self.guesses(around: code).filter { $0 != code }
                let tally = try await flood(replicas, phone, guesses, from: Self.stranger)
                #expect(tally.judged == Self.attemptsMax)
                return (phone, code)
            }
            for name in ["otp", "redis", "otp-2"] { try await stack.restart(name, by: SIGKILL) }
            try await stack.untilReady()
            try await OTPReplicas.run(stack) { replicas in
                try await eventually("otp-service answers with the lockout") {
                    let answer = try await replicas.verify(phone, code, from: Self.stranger(700), turn: 1)
                    return answer?.result == .tooManyAttempts && (answer?.retryAfterSeconds ?? 0) > 3_000
                }
                let request = try await replicas.request(phone, from: Self.stranger(701), turn: 0)
                #expect(request?.result == .rateLimited)
            }
        }
    }
}

// MARK: - Floods

extension Live.GuessFloodTests {
    /// The results of many guesses at one code.
    private struct Tally: CustomStringConvertible {
        var (wrong, approved, refused, unanswered, most) = (0, 0, 0, 0, 0)

        /// Guesses that were compared.
        var judged: Int { wrong + approved }

        init() {}

        init(_ results: [OTPVerifyResult?]) {
            wrong = results.count { $0 == .wrongCode }
            // A second success would be `used`, and as bad.
            approved = results.count { $0 == .approved || $0 == .used }
            refused = results.count { $0 == .tooManyAttempts || $0 == .unknown || $0 == .expired }
            unanswered = results.count { $0 == nil }
            most = wrong + approved
        }

        static func += (total: inout Tally, other: Tally) {
            total.wrong += other.wrong
            total.approved += other.approved
            total.refused += other.refused
            total.unanswered += other.unanswered
            total.most = max(total.most, other.most)
        }

        var description: String {
            "\(judged) judged, at most \(most) of one code, \(approved) right, \(refused) refused, \(unanswered) unanswered"
        }
    }

    /// Codes in random order, the right one among them.
    private static func guesses(around code: String) -> [String] {
        var guesses: Set<String> = [code]
        while guesses.count < Self.guesses { guesses.insert(String(Int.random(in: 100_000...999_999))) }
        return guesses.shuffled()
    }

    /// A new number with a code that has been sent; whatever is being restarted just now.
    private func freshChallenge(_ replicas: OTPReplicas) async throws -> (phone: String, code: String) {
        var phone = ""
        try await eventually("a code is sent") {
            phone = LatchkeyStack.freshPhone()
            return try await replicas.request(phone, from: "127.0.0.1", turn: Int.random(in: 0...1))?.result == .sent
        }
        return (phone, try await stack.code(for: phone))
    }

    /// How many guesses at each code were compared, by the audit after a record of it.
    private func comparisons(after start: Int, _ replicas: OTPReplicas) async throws -> [Int] {
        // Its record comes behind all of the flood's.
        _ = try await freshChallenge(replicas)
        try await eventually("the flood's records are in the audit") {
            try DatabaseCheck(of: stack).codes(after: start).sent > Self.challenges
        }
        return try DatabaseCheck(of: stack).codes(after: start).compared
    }

    /// All guesses at once, over as many connections as there may be.
    private func flood(
        _ replicas: OTPReplicas, _ phone: String, _ guesses: [String], from address: @escaping @Sendable (Int) -> String
    ) async throws -> Tally {
        Tally(
            try await inParallel(guesses.count, lanes: OTPReplicas.connectionsMax) { number in
                try await replicas.verify(phone, guesses[number], from: address(number), turn: number)?.result
            })
    }
}

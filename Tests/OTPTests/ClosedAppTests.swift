import Delivery
import InternalAPI
import OutgoingConnections
import Policies
import Synchronization
import TestSupport
import Testing

@testable import OTPCore

/// In a closed app a number that is not invited is answered as one that is, whatever happens.
@Suite(.timeLimit(.minutes(5))) struct ClosedAppTests {
    private static let price: Int64 = 750
    private static let invited = "+15551230001"
    private static let uninvited = "+15551230002"

    private static var spend: SpendPolicy {
        var policy = SpendPolicy()
        policy.mode = .enforce
        policy.budget = .init(hour: 10 * price, day: 100 * price)
        policy.strangersPercent = 100
        policy.rows = [.init(prefix: "default", prices: ["sms": price])]
        return policy
    }

    /// Both answers, the invited number's first.
    private func both(_ fixture: CodeFixture) async throws -> [OTPRequestAnswer] {
        [
            try await fixture.request(Self.invited),
            try await fixture.request(Self.uninvited, isUnwelcome: true),
        ]
    }

    @Test(arguments: [
        DeliveryFailure(connection: .refused), DeliveryFailure(connection: .timedOut), DeliveryFailure(.serverError),
        DeliveryFailure(.throttled, retryAfterSeconds: 9), DeliveryFailure(.misconfigured), DeliveryFailure(.badAnswer),
    ])
    func `an outage of the provider is everybody's`(_ failure: DeliveryFailure) async throws {
        try await withFixture(.onlyBudgets, isClosed: true) { fixture async throws in
            fixture.sender.fail(with: failure)
            let call = CodeFixture.newCall()
            #expect(try await both(fixture).map(\.result) == [.providerError, .providerError])
            let asked = try await fixture.request(Self.uninvited, call: call, isUnwelcome: true)
            #expect(asked == (try await fixture.request(Self.uninvited, call: call, isUnwelcome: true)))
            fixture.sender.fail(with: nil)
            #expect(try await both(fixture).map(\.result) == [.sent, .sent])
            #expect(fixture.sender.messages.allSatisfy { $0.recipient == Self.invited })
        }
    }

    @Test func `a provider that is left alone after its failures is so for everybody`() async throws {
        try await withFixture(.onlyBudgets, isClosed: true) { fixture async throws in
            fixture.sender.fail(with: DeliveryFailure(connection: .connectTimedOut))
            for _ in 0..<Circuit.failuresMax { _ = try await fixture.request(Self.invited) }
            var answers: [OTPRequestAnswer] = []
            let passed = try await ContinuousClock().measure { answers = try await both(fixture) }
            #expect(answers.map(\.result) == [.providerError, .providerError])
            // The second one is told the same moment, which is nearer by then.
            let seconds = try answers.map { try #require($0.retryAfterSeconds) }
            #expect((0...passed.components.seconds + 1).contains(seconds[0] - seconds[1]))
        }
    }

    @Test(arguments: [
        DeliveryFailure.Reason.badNumber, .noTextMessages, .noRoute, .optedOut, .blockedPrefix, .barred,
        .blockedCountry,
        .sendCap, .limited, .undeliverable, .refused,
    ])
    func `what a provider has against one number is nobody's to see`(_ reason: DeliveryFailure.Reason) async throws {
        try await withFixture(.onlyBudgets, isClosed: true) { fixture async throws in
            fixture.sender.fail(with: DeliveryFailure(reason, retryAfterSeconds: 77))
            let call = CodeFixture.newCall()
            #expect(try await fixture.request(Self.invited, call: call).result == .sent)
            #expect(try await fixture.request(Self.invited, call: call).result == .sent)
            for _ in 0..<2 { #expect(try await both(fixture).map(\.result) == [.sent, .sent]) }
        }
    }

    /// The number has no way on one channel, and the other channel is out for all.
    @Test(arguments: [
        DeliveryFailure.Reason.noRoute, .notOnChannel, .noTextMessages, .sendCap, .undeliverable, .refused,
    ])
    func `neither is what it has on one channel while another is out`(_ reason: DeliveryFailure.Reason) async throws {
        let texter = RecordingSender("one", abilities: SenderAbilities(channels: ["sms"], contents: [.code]))
        let caller = RecordingSender("two", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        let line = SenderLine([texter, caller], fallback: [.call])
        try await withFixture(.onlyBudgets, line: line, isClosed: true) { fixture async throws in
            texter.fail(with: DeliveryFailure(reason))
            caller.fail(with: DeliveryFailure(connection: .connectTimedOut))
            for _ in 0..<2 { #expect(try await both(fixture).map(\.result) == [.sent, .sent]) }
            #expect(caller.messages.count == 2)
            texter.fail(with: DeliveryFailure(connection: .connectTimedOut))
            #expect(try await fixture.request("+15551230003").result == .providerError)
            #expect(try await fixture.request(Self.uninvited, isUnwelcome: true).result == .providerError)
        }
    }

    @Test func `neither is a refusal of a country that alarms the operator too`() async throws {
        try await withFixture(.onlyBudgets, isClosed: true) { fixture async throws in
            fixture.sender.fail(with: DeliveryFailure(.blockedCountry, providerCode: 60_238))
            #expect(try await both(fixture).map(\.result) == [.sent, .sent])
        }
    }

    @Test func `a number that a provider called bad is counted as all others`() async throws {
        var policy = OTPPolicy.onlyBudgets
        policy.sendsPerRecipient = [RateLimit(max: 3, windowSeconds: 3_600)]
        try await withFixture(policy, spend: Self.spend, isClosed: true) { fixture async throws in
            fixture.sender.fail(with: DeliveryFailure(.badNumber))
            for _ in 0..<3 { #expect(try await both(fixture).map(\.result) == [.sent, .sent]) }
            #expect(try await both(fixture).map(\.result) == [.rateLimited, .rateLimited])
            #expect(fixture.sender.messages.count == 1)
        }
    }

    @Test func `an open app says of a number what it always said`() async throws {
        try await withFixture(.onlyBudgets) { fixture async throws in
            fixture.sender.fail(with: DeliveryFailure(.badNumber))
            #expect(try await fixture.request(Self.invited).result == .invalidPhone)
            #expect(try await fixture.request(Self.invited).result == .invalidPhone)
            #expect(fixture.sender.messages.count == 1)
        }
    }

    @Test func `what is not sent uses up the budget of strangers as if it were, and no money`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.spend, isClosed: true) { fixture async throws in
            for number in 0..<6 {
                #expect(try await fixture.request("+1555123100\(number)", isUnwelcome: true).result == .sent)
            }
            for number in 0..<4 { #expect(try await fixture.request("+1555123200\(number)").result == .sent) }
            let answers = try await both(fixture)
            #expect(answers.map(\.result) == [.rateLimited, .rateLimited])
            #expect(answers[0].retryAfterSeconds == answers[1].retryAfterSeconds)
            let report = try await fixture.wiring.reportSpending?(GuardReportRequest(hours: 1))
            #expect(report?.rows.first?.spent == 4 * Self.price)
        }
    }

    @Test func `users in their own network sign in when strangers have used all`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.spend, isClosed: true) { fixture async throws in
            let code = try await fixture.sentCode(Self.invited)
            #expect(try await fixture.verify(code, phone: Self.invited).result == .approved)
            for number in 0..<20 {
                _ = try await fixture.request("+155512\(31_000 + number)", from: "203.0.113.9", isUnwelcome: true)
            }
            #expect(try await fixture.request(Self.uninvited, from: "203.0.113.9").result == .rateLimited)
            #expect(try await fixture.request(Self.invited).result == .sent)
        }
    }

    @Test func `what is not sent takes a time of the recent ones, and fails only as the last one did`() async throws {
        let pace = SendPace<String>()
        for number in 0..<100 { pace.note(.milliseconds(number < 36 ? 60_000 : 40), "sent", isFailure: false) }
        let start = ContinuousClock.now
        // Only the last 64 count.
        #expect(try await promptly("an echo") { try await pace.echo() } == "sent")
        #expect(ContinuousClock.now - start >= .milliseconds(40))
        pace.note(.milliseconds(1), "failed", isFailure: true)
        #expect(try await pace.echo() == "failed")
        pace.note(.milliseconds(1), "sent again", isFailure: false)
        #expect(try await pace.echo() == "sent again")
    }

    /// By nearest rank among the last 64.
    @Test(
        arguments: [
            ([], 500), ([20], 500), ([700], 700), ([9_000], 5_000), (Array(repeating: 400, count: 64), 500),
            (Array(repeating: 100, count: 61) + [2_000, 2_000, 2_000], 500),
            (Array(repeating: 100, count: 60) + [2_000, 2_000, 2_000, 3_000], 2_000),
            (Array(repeating: 4_000, count: 64) + Array(repeating: 600, count: 64), 600), ([-5, 0], 500),
        ] as [([Int64], Int64)])
    func `the moment is half a second, or the 95th percentile, within bounds`(_ times: [Int64], _ expected: Int64) {
        #expect(AnswerMoment.milliseconds(after: times) == expected)
    }

    @Test func `a slower message goes on behind the answer, counts as accepted, and moves the moment`() async throws {
        let mayFail = Flag()
        let slow = HeldSender(mayFail: mayFail, milliseconds: 900, failure: DeliveryFailure(.serverError))
        try await withFixture(
            .onlyBudgets, line: SenderLine([slow]), isClosed: true, leastMilliseconds: 300
        ) { fixture async throws in
            let call = CodeFixture.newCall()
            // The message fails only after the answer.
            #expect(try await fixture.request(Self.invited, call: call).result == .sent)
            mayFail.set()
            let moment = try #require(try fixture.phones.codes(of: nil).request.send.moment)
            try await eventually("the message's time") { try await moment.pace().milliseconds >= 900 }
            // Its failure does not show, not even to a repeat.
            #expect(try await moment.pace().lastAnswer == OTPRequestAnswer(.sent))
            let later = ContinuousClock.now
            _ = try await both(fixture)
            #expect(ContinuousClock.now - later >= .milliseconds(1_800))
            #expect(try await fixture.request(Self.invited, call: call).result == .sent)
        }
    }

    @Test func `refusals come at the same moment, and errors too`() async throws {
        var policy = OTPPolicy.onlyBudgets
        policy.sendsPerRecipient = [RateLimit(max: 1, windowSeconds: 3_600)]
        try await withFixture(policy, isClosed: true, leastMilliseconds: 300, waitsForAnswers: true) {
            fixture async throws in
            _ = try await both(fixture)
            for isUnwelcome in [true, false] {
                let start = ContinuousClock.now
                let phone = isUnwelcome ? Self.uninvited : Self.invited
                #expect(try await fixture.request(phone, isUnwelcome: isUnwelcome).result == .rateLimited)
                #expect(ContinuousClock.now - start >= .milliseconds(300))
            }
        }
    }

    /// 50 pairs from the first request on, in ten starts: in nine of them a Kolmogorov–Smirnov test cannot tell the two apart
    /// (p > 0.01).
    @Test(.enabled(if: LongRun.isOn)) func `in a quiet app the first answers do not tell either`() async throws {
        let passed = try await concurrently(10) { start in
            let line = SenderLine([SlowSender(milliseconds: start.isMultiple(of: 2) ? 50...450 : 200...1_200)])
            return try await withFixture(
                .onlyBudgets, line: line, isClosed: true, leastMilliseconds: AnswerMoment.leastMilliseconds
            ) { fixture async throws in
                var times: [Bool: [Double]] = [:]
                for number in 0..<100 {
                    let isUnwelcome = number.isMultiple(of: 2) == (number % 4 < 2)
                    let begun = ContinuousClock.now
                    _ = try await fixture.request(
                        "+155512\(10_000 + number)", from: "11.0.\(number).1", isUnwelcome: isUnwelcome)
                    times[isUnwelcome, default: []].append((ContinuousClock.now - begun) / .milliseconds(1))
                }
                let (loud, silent) = (times[false] ?? [], times[true] ?? [])
                let distance = Self.distance(loud, silent)
                LongRun.report("closed app, start \(start): distance \(distance) of \(loud.count) and \(silent.count)")
                return distance < Self.distanceMax(50)
            }
        }
        #expect(passed.count { $0 } >= 9)
    }

    @Test func `before the first message the wait is not zero either`() async throws {
        let start = ContinuousClock.now
        #expect(try await SendPace<String>().echo() == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(90))
    }

    /// 200 requests of each kind in turn, at a provider that takes 5 to 25 ms: medians within 2 ms or 5 %, and a
    /// Kolmogorov–Smirnov test that cannot tell the two apart (p > 0.01). `deploy/attack` has the machine to itself.
    @Test(.enabled(if: LongRun.isOn)) func `times do not tell who is invited`() async throws {
        let count = 200
        let line = SenderLine([SlowSender(milliseconds: 5...25)])
        try await withFixture(.onlyBudgets, line: line, isClosed: true, leastMilliseconds: 100) {
            fixture async throws in
            func time(_ number: Int, isUnwelcome: Bool) async throws -> Double {
                // Each from a network of its own, so that no limit by address counts.
                let address = "11.\(number / 250).\(number % 250).1"
                let start = ContinuousClock.now
                let answer = try await fixture.request(
                    "+155512\(10_000 + number)", from: address, isUnwelcome: isUnwelcome)
                #expect(answer.result == .sent)
                return (ContinuousClock.now - start) / .milliseconds(1)
            }
            for number in 0..<64 { _ = try await time(number, isUnwelcome: false) }
            var (loud, silent): ([Double], [Double]) = ([], [])
            for number in 0..<count {
                loud.append(try await time(1_000 + 2 * number, isUnwelcome: false))
                silent.append(try await time(1_001 + 2 * number, isUnwelcome: true))
            }
            let (one, other) = (loud.sorted()[count / 2], silent.sorted()[count / 2])
            LongRun.report("closed app: medians \(one) and \(other) ms, distance \(Self.distance(loud, silent))")
            #expect(abs(one - other) <= max(2, one * 0.05), "\(one) and \(other) ms")
            #expect(Self.distance(loud, silent) < Self.distanceMax(count), "\(Self.distance(loud, silent))")
        }
    }

    @Test func `the comparison tells a shifted half from the whole`() {
        let values = (0..<200).map { Double($0) / 10 }
        #expect(Self.distance(values, values) < Self.distanceMax(200))
        #expect(Self.distance(values, values.map { $0 + 5 }) > Self.distanceMax(200))
    }

    /// The largest distance of the two distributions (Kolmogorov and Smirnov).
    private static func distance(_ first: [Double], _ second: [Double]) -> Double {
        (first + second).map { limit in
            abs(
                Double(first.count { $0 <= limit }) / Double(first.count)
                    - Double(second.count { $0 <= limit }) / Double(second.count))
        }.max() ?? 0
    }

    /// The distance that two samples of one distribution exceed once in a hundred times.
    private static func distanceMax(_ count: Int) -> Double { 1.628 * (2 / Double(count)).squareRoot() }
}

/// Fails each message after a time, and not before it may.
private struct HeldSender: MessageSender {
    let provider = "held"
    let abilities = SenderAbilities.everything
    let mayFail: Flag
    let milliseconds: Int
    let failure: DeliveryFailure

    func send(_ message: Message) async throws(DeliveryFailure) -> String {
        do {
            try await Task.sleep(for: .milliseconds(milliseconds))
            while !mayFail.isSet { try await Task.sleep(for: .milliseconds(5)) }
        } catch { throw DeliveryFailure(connection: .connectTimedOut) }
        throw failure
    }
}

/// Takes a random time for each message.
private struct SlowSender: MessageSender {
    let provider = "slow"
    let abilities = SenderAbilities.everything
    let milliseconds: ClosedRange<Int>
    var failure: DeliveryFailure?

    func send(_ message: Message) async throws(DeliveryFailure) -> String {
        do { try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds))) } catch {
            throw DeliveryFailure(connection: .connectTimedOut)
        }
        if let failure { throw failure }
        return message.id
    }
}

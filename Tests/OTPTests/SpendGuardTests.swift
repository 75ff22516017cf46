import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// Budgets hold whatever comes at once, and their last part is for those who are known.
@Suite(.timeLimit(.minutes(5))) struct SpendGuardTests {
    private static let price: Int64 = 750

    /// 100 messages an hour to +44, of 1,000 in all.
    private static func policy(
        mode: SpendPolicy.Mode = .enforce, hour: Int64 = 1_000 * price, day: Int64 = 10_000 * price,
        rowHour: Int64? = 100 * price, rowDay: Int64? = nil, percent: Int64 = 80
    ) -> SpendPolicy {
        var policy = SpendPolicy()
        policy.mode = mode
        policy.budget = .init(hour: hour, day: day)
        policy.strangersPercent = percent
        policy.rows = [
            .init(prefix: "default", prices: ["sms": price]),
            .init(prefix: "+44", prices: ["sms": price, "call": 3 * price], hour: rowHour, day: rowDay),
        ]
        return policy
    }

    @Test func `four replicas and thousands of addresses spend the strangers' part and not one message more`()
        async throws
    {
        try await withFixture(.onlyBudgets, spend: Self.policy()) { fixture async throws in
            let results = try await withReplicas(4, of: fixture) { replicas in
                try await concurrently(3_000) { number in
                    try await replicas[number % 4].codes(of: nil).request(
                        OTPRequest(
                            phone: "+4420\(79_460_000 + number)", region: nil, purpose: .signIn,
                            address: "203.\(number % 200).\(number / 200).1", callID: CodeFixture.newCall())
                    ).result
                }
            }
            let sent = Int64(results.filter { $0 == .sent }.count)
            #expect(sent * Self.price <= 80 * Self.price && sent * Self.price > 79 * Self.price)
            #expect(fixture.sender.messages.count == Int(sent))
            // Beyond what a process sends at once it says so, and counts nothing.
            #expect(results.filter { $0 == .rateLimited || $0 == .providerError }.count == 3_000 - Int(sent))
        }
    }

    @Test func `known callers sign in when strangers have used their part, until the budget is used up`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.policy(rowHour: 5 * Self.price)) { fixture async throws in
            let owner = "+442079460958"
            #expect(try await fixture.verify(fixture.sentCode(owner), phone: owner).result == .approved)
            for number in 0..<3 { #expect(try await fixture.request("+44207946000\(number)").result == .sent) }
            let refused = try await fixture.request("+442079460009")
            #expect(refused.result == .rateLimited && refused.retryAfterSeconds == 3_600)
            #expect(try await fixture.request(owner).result == .sent)
            #expect(try await fixture.request(owner).result == .rateLimited)
        }
    }

    @Test func `the wait is true: after it the message goes out`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.policy(rowHour: 2 * Self.price, rowDay: 4 * Self.price)) {
            fixture async throws in
            fixture.clock.advance(600)
            #expect(try await fixture.request("+442079460001").result == .sent)
            let first = try await fixture.request("+442079460002")
            #expect(first.retryAfterSeconds == 3_000)
            fixture.clock.advance(2_999)
            #expect(try await fixture.request("+442079460002").retryAfterSeconds == 1)
            fixture.clock.advance(1)
            #expect(try await fixture.request("+442079460002").result == .sent)
            fixture.clock.advance(3_600)
            #expect(try await fixture.request("+442079460003").result == .sent)
            fixture.clock.advance(3_600)
            let untilMidnight = 86_400 - fixture.clock.now % 86_400
            #expect(try await fixture.request("+442079460004").retryAfterSeconds == untilMidnight)
            #expect(try await fixture.request("+15551234567").result == .sent)
        }
    }

    @Test func `observing, all goes out, and what would not have is counted`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.policy(mode: .observe, rowHour: 2 * Self.price)) {
            fixture async throws in
            for number in 0..<5 { #expect(try await fixture.request("+44207946000\(number)").result == .sent) }
            let hour = try await counters(fixture)
            #expect(hour["+44"] == "3750" && hour["total"] == "3750" && hour["+44#"] == "5" && hour["+44-"] == "4")
        }
    }

    @Test func `each alarm is given once in its window, also when nobody comes to exactly so much`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.policy(rowHour: 10 * Self.price)) { fixture async throws in
            _ = try await concurrently(60) { number in
                try await fixture.request("+44207946\(1_000 + number)", from: "203.0.113.\(number)")
            }
            #expect(try await alarms(fixture) == ["hour 50 +44", "hour 80 +44"])
            let owner = "+442079461000"
            for number in 0..<10 {
                _ = try await fixture.request(owner, signedInAs: owner)
                _ = number
            }
            #expect(try await alarms(fixture) == ["hour 50 +44", "hour 80 +44", "hour 100 +44"])
            fixture.clock.advance(3_600)
            for number in 0..<6 { _ = try await fixture.request("+44207947000\(number)") }
            #expect(try await alarms(fixture).suffix(1) == ["hour 50 +44"])
        }
    }

    @Test func `the longest prefix decides, and what costs nothing is not counted`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.policy()) { fixture async throws in
            _ = try await fixture.request("+442079460001")
            _ = try await fixture.request("+15551234567")
            #expect(try await counters(fixture)["+44#"] == "1")
            #expect(try await counters(fixture)["default#"] == "1")
            let before = try await counters(fixture)
            let review = ReviewAccessRequest(phone: "+442079460002", until: fixture.clock.now + 100)
            _ = try await fixture.wiring.manageReviews.open(review)
            #expect(try await fixture.request("+442079460002").result == .suppressed)
            #expect(try await counters(fixture) == before)
        }
    }

    @Test func `loopback and private addresses pay too`() async throws {
        try await withFixture(.onlyBudgets, localExemption: .all, spend: Self.policy(rowHour: 2 * Self.price)) {
            fixture async throws in
            #expect(try await fixture.request("+442079460001", from: "127.0.0.1").result == .sent)
            #expect(try await fixture.request("+442079460002", from: "127.0.0.1").result == .rateLimited)
        }
    }

    @Test func `a further try is charged before it is made, and what is refused stays spent`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.policy(rowHour: 6 * Self.price)) { fixture async throws in
            fixture.sender.fail(with: .refused)
            #expect(try await fixture.request("+442079460001").result == .providerError)
            let rules = SpendRules(policy: Self.policy(rowHour: 6 * Self.price))
            let store = fixture.store
            let phone = try #require(CodeRules(otp: OTPPolicy.onlyBudgets).phone("+442079460001", region: nil))
            var send = try attempt(fixture)
            send.charge = rules.charge(for: phone, channel: "call", now: fixture.clock.now)
            #expect(try await store.charge(send) == .charged([.alarm(scope: "+44", window: "hour", percent: 50)]))
            guard case .limited(3_600, let news) = try await store.charge(send) else {
                Issue.record("a third try fits no budget")
                return
            }
            #expect(news == [.alarm(scope: "+44", window: "hour", percent: 100)])
            #expect(try await counters(fixture)["+44"] == "\(4 * Self.price)")
        }
    }

    @Test func `a channel that nothing can go by is not paid`() async throws {
        let texts = RecordingSender("texts", abilities: SenderAbilities(channels: ["sms"], contents: [.code]))
        let calls = RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        let line = SenderLine([texts, calls], fallback: [.call])
        try await withFixture(.onlyBudgets, spend: Self.policy(), line: line) { fixture async throws in
            let (landline, mobile) = ("+442079460001", "+442079460002")
            texts.fail(with: DeliveryFailure(.noTextMessages))
            try await fixture.request(landline)
            #expect(try await counters(fixture)["+44"] == "\(4 * Self.price)")
            // Its number is known as one without texts.
            try await fixture.request(landline)
            #expect(try await counters(fixture)["+44"] == "\(7 * Self.price)")
            #expect(texts.messages.count == 1)

            texts.fail(with: .timedOut)
            for _ in 0..<5 { try await fixture.request(mobile) }
            let before = try #require(try await counters(fixture)["+44"].flatMap { Int64($0) })
            // The circuit of texts is open.
            #expect(try await fixture.request(mobile).result == .sent)
            #expect(texts.messages.count == 6 && calls.messages.count == 8)
            #expect(try await counters(fixture)["+44"] == "\(before + 3 * Self.price)")
        }
    }

    @Test func `a used up budget refuses before anything is counted, on a channel that is left out too`() async throws {
        let texts = RecordingSender("texts", abilities: SenderAbilities(channels: ["sms"], contents: [.code]))
        let calls = RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        texts.fail(with: DeliveryFailure(.noTextMessages))
        var otp = OTPPolicy.onlyBudgets
        otp.sendsPerRecipient = [RateLimit(max: 2, windowSeconds: 86_400)]
        try await withFixture(
            otp, spend: Self.policy(rowHour: 4 * Self.price, percent: 100),
            line: SenderLine([texts, calls], fallback: [.call])
        ) { fixture async throws in
            let landline = "+442079460001"
            #expect(try await fixture.request(landline).result == .sent)
            for _ in 0..<3 { #expect(try await fixture.request(landline).result == .rateLimited) }
            fixture.clock.advance(3_600)
            #expect(try await fixture.request(landline).result == .sent)
            #expect(texts.messages.count == 1 && calls.messages.count == 2)
        }
    }

    @Test func `the report tells row by row what was sent, used, spent and refused`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.policy(rowHour: 3 * Self.price)) { fixture async throws in
            let report = try #require(fixture.wiring.reportSpending)
            #expect(try await report(GuardReportRequest(hours: 1)).rows.map(\.row) == ["total"])
            let code = try await fixture.sentCode()
            #expect(try await fixture.verify(code).result == .approved)
            for number in 0..<5 { try await fixture.request("+44207946000\(number)", from: "203.0.113.\(number)") }
            fixture.clock.advance(3_600)
            try await fixture.request("+442079460009", from: "203.0.113.9")
            let rows = try await report(GuardReportRequest(hours: 2)).rows
            #expect(rows.map(\.row) == ["total", "default", "+44"])
            // Of the three messages that fit into the row's hour, two are for unrecognised clients.
            #expect(rows.map(\.sends) == [4, 1, 3] && rows.map(\.refused) == [3, 0, 3])
            #expect(rows.map(\.approved) == [1, 1, 0])
            #expect(rows.map(\.spent) == [4 * Self.price, Self.price, 3 * Self.price])
            #expect(rows[2].spentThisHour == Self.price && rows[2].hourBudget == 3 * Self.price)
            #expect(rows[0].spentToday == 4 * Self.price)
            #expect(try await report(GuardReportRequest(hours: 1)).rows[0].sends == 1)
            await #expect(throws: InvalidInput.self) { try await report(GuardReportRequest(hours: 49)) }
        }
    }

    @Test func `without the section nothing is written`() async throws {
        try await withFixture(.onlyBudgets) { fixture async throws in
            _ = try await fixture.verify(try await fixture.sentCode())
            let keys = try await fixture.redis.send(["KEYS", "otp:1:s:*"]).arrayValue
            #expect(keys?.isEmpty == true)
        }
    }

    @Test func `control: a guard that looks, then adds, overspends`() async throws {
        try await withFixture(.onlyBudgets) { fixture async throws in
            let meeting = Meeting(of: 200)
            let sent = try await concurrently(200) { _ in
                let spent = try await fixture.redis.send(["GET", "spent"]).text.flatMap(Int64.init) ?? 0
                await meeting.join()
                guard spent + Self.price <= 80 * Self.price else { return false }
                _ = try await fixture.redis.send(["INCRBY", "spent", .integer(Self.price)])
                return true
            }
            #expect(sent.filter { $0 }.count > 80)
        }
    }

    // MARK: -

    /// Runs this many replicas, each with its own connection to the same Redis.
    private func withReplicas<Value: Sendable>(
        _ count: Int, of fixture: CodeFixture, _ made: [PhoneCodes] = [], _ body: ([PhoneCodes]) async throws -> Value
    ) async throws -> Value {
        guard made.count < count else { return try await body(made) }
        let redis = RedisClient(.patient(port: fixture.server.port), logger: Logger(label: "test"))
        let keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")
        let rules = CodeRules(otp: OTPPolicy.onlyBudgets, spend: SpendRules(policy: Self.policy()))
        let store = RedisChallengeStore(redis: redis, scripts: CodeScripts(OTPPolicy.onlyBudgets, spend: Self.policy()))
        let parts = CodeParts(
            secrets: CodeSecrets(keys: keys), attestationKeys: keys, hasRoom: { true }, logger: Logger(label: "test"),
            now: { fixture.clock.now })
        let phones = try #require(
            PhoneCodes([.init(rules: rules, store: store)], parts, line: SenderLine([fixture.sender])))
        return try await running(redis) { try await withReplicas(count, of: fixture, made + [phones], body) }
    }

    private func counters(_ fixture: CodeFixture) async throws -> [String: String] {
        let key = RedisKeys.spent(hour: fixture.clock.now / 3_600)
        let parts = try await fixture.redis.send(["HGETALL", .text(key)]).arrayValue?.map { $0.text ?? "" } ?? []
        return Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) })
    }

    private func alarms(_ fixture: CodeFixture) async throws -> [String] {
        let entries = try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"])
        return (entries.arrayValue ?? []).compactMap { entry in
            let fields = (entry.arrayValue?.last?.arrayValue ?? []).map { $0.text ?? "" }
            guard fields.contains("otp.spend"), let place = fields.firstIndex(of: "detail") else { return nil }
            return fields[place + 1]
        }
    }

    private func attempt(_ fixture: CodeFixture) throws -> SendAttempt {
        let place = try #require(ChallengePlace(.signIn, in: Dialect.native))
        return SendAttempt(
            subject: CallSubject(
                recipient: RecipientTag(bytes: SecureRandom.bytes(RecipientTag.byteCount)), place: place,
                blockTag: [0, 0, 0, 0], isVouchedFor: true, windows: [], callTag: [0, 0, 1], now: fixture.clock.now),
            challenge: ChallengeSeed(created: fixture.clock.now, salt: [0, 1]), proof: [0, 0, 0, 0, 1])
    }
}

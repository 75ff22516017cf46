import Delivery
import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// The counts that come with the audit's records.
@Suite(.timeLimit(.minutes(5))) struct TallyTests {
    private static let price: Int64 = 750

    private static var spend: SpendPolicy {
        var policy = SpendPolicy()
        policy.budget = .init(hour: 1_000 * price, day: 10_000 * price)
        policy.rows = [
            .init(prefix: "default", prices: ["sms": price]),
            .init(prefix: "+44", prices: ["sms": price, "call": 3 * price]),
        ]
        return policy
    }

    /// The events with a tally, oldest first.
    private func tallies(_ fixture: CodeFixture) async throws -> [String] {
        let reply = try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"])
        return try #require(reply.arrayValue).compactMap { entry in
            let fields = (entry.arrayValue?.last?.arrayValue ?? []).map { $0.text ?? "" }
            let tally = fields.firstIndex(of: OTPAuditStream.Field.tally).map { fields[$0 + 1] }
            let event = fields.firstIndex(of: OTPAuditStream.Field.event).map { fields[$0 + 1] }
            return tally.map { "\(event ?? "") \($0)" }
        }
    }

    @Test func `a sent code has its country, its channel and its price, and a used one the first two`() async throws {
        try await withFixture(.onlyBudgets, spend: Self.spend) { fixture async throws in
            let owner = "+442079460958"
            let code = try await fixture.sentCode(owner)
            #expect(try await fixture.verify(CodeFixture.wrong(code), phone: owner).result == .wrongCode)
            #expect(try await fixture.verify(code, phone: owner).result == .approved)
            #expect(try await tallies(fixture) == ["otp.sent +44 sms 750", "otp.approved +44 sms 0"])
        }
    }

    @Test func `without prices a code is counted and costs nothing`() async throws {
        try await withFixture { fixture async throws in
            _ = try await fixture.sentCode("+15551234567")
            #expect(try await tallies(fixture) == ["otp.sent +1 sms 0"])
        }
    }

    @Test func `a further channel is paid and counted, and is no second code`() async throws {
        let texts = RecordingSender("texts", abilities: SenderAbilities(channels: ["sms"], contents: [.code]))
        let calls = RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        texts.fail(with: DeliveryFailure(.noTextMessages))
        try await withFixture(.onlyBudgets, spend: Self.spend, line: SenderLine([texts, calls], fallback: [.call])) {
            fixture async throws in
            #expect(try await fixture.request("+442079460958").result == .sent)
            #expect(try await tallies(fixture) == ["otp.sent +44 sms 750", "otp.paid +44 call 2250"])
        }
    }
}

import CryptoPrimitives
import Delivery
import FoundationEssentials
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import OTPCore

/// Notices of changes as text messages.
@Suite(.timeLimit(.minutes(5))) struct TextNoticeTests {
    private static let token = "t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_g"

    private static func notice(
        _ id: String = UUID().uuidString, to phone: String = CodeFixture.phone,
        _ kind: MailNotice.Kind = .identityChanged, token: String? = token
    ) -> MailNotice {
        MailNotice(id: id, to: phone, kind: kind, at: CodeFixture.start, token: token)
    }

    private func send(
        _ notice: MailNotice, _ fixture: CodeFixture
    ) async throws -> OperationOutcome<Done, NoticeRefusal> {
        let send = try #require(fixture.phones.sendNotice)
        return try await send(notice)
    }

    @Test func `a number gets three a day, and one that is tried again counts once`() async throws {
        try await withFixture { fixture async throws in
            let notices = (0..<4).map { _ in Self.notice() }
            for notice in notices.prefix(2) + notices.prefix(3) + notices {
                #expect(try await send(notice, fixture) == .answer(Done()))
            }
            let sent = fixture.sender.messages
            #expect(sent.map(\.id) == (notices.prefix(2) + notices.prefix(3) + notices.prefix(3)).map(\.id))
            let message = try #require(sent.first)
            #expect(message.channel == "sms" && message.recipient == CodeFixture.phone)
            #expect(message.content.kind == .text && SMSSegment(message.content.text).isOne)
            #expect(message.content.text.hasSuffix(" https://auth.test/auth/not-me?token=\(Self.token)"))
            #expect(try await send(Self.notice(to: "+15551234568"), fixture) == .answer(Done()))
            fixture.clock.advance(86_400)
            #expect(try await send(Self.notice(), fixture) == .answer(Done()))
            #expect(fixture.sender.messages.count == sent.count + 2)
        }
    }

    @Test func `of notices at once no more than three are sent`() async throws {
        try await withFixture { fixture async throws in
            let notices = (0..<20).map { _ in Self.notice() }
            _ = try await concurrently(notices.count) { try await send(notices[$0], fixture) }
            #expect(fixture.sender.messages.count == 3)
        }
    }

    @Test func `a sender that only sends codes, a test number and another country get none`() async throws {
        let verify = RecordingSender(abilities: SenderAbilities(channels: ["sms"], contents: [.code]))
        try await withFixture(line: SenderLine([verify])) { fixture async throws in
            #expect(try await send(Self.notice(), fixture) == .answer(Done()))
            #expect(verify.messages.isEmpty)
        }
        var policy = OTPPolicy()
        policy.testNumbers = [
            TestNumber(phone: CodeFixture.phone, code: "246810", endsAt: CodeFixture.start + 1_000)
        ]
        try await withFixture(policy) { fixture async throws in
            #expect(try await send(Self.notice(), fixture) == .answer(Done()))
            #expect(fixture.sender.messages.isEmpty)
        }
        try await withFixture(countries: CountryRule(allowedPrefixes: ["+49"])) { fixture async throws in
            #expect(try await send(Self.notice(), fixture) == .answer(Done()))
            #expect(fixture.sender.messages.isEmpty)
        }
    }

    @Test func `a failure that another try may mend is told, and no other`() async throws {
        try await withFixture { fixture async throws in
            let notice = Self.notice()
            fixture.sender.fail(with: .timedOut)
            #expect(try await send(notice, fixture) == .refused(.providerError))
            fixture.sender.fail(with: DeliveryFailure(.optedOut))
            #expect(try await send(notice, fixture) == .answer(Done()))
        }
    }

    @Test func `the notice of a removal that does not go out is no success`() async throws {
        func notice() -> MailNotice { Self.notice(to: CodeFixture.phone, .inactivity, token: nil) }
        try await withFixture { fixture async throws in
            for reason in [DeliveryFailure.Reason.optedOut, .refused, .sendCap] {
                fixture.sender.fail(with: DeliveryFailure(reason))
                fixture.clock.advance(86_400)
                #expect(try await send(notice(), fixture) == .refused(.notSent))
            }
        }
        try await withFixture { fixture async throws in
            for _ in 0..<SendTextNotice.perDayMax { #expect(try await send(notice(), fixture) == .answer(Done())) }
            #expect(try await send(notice(), fixture) == .refused(.notSent))
        }
        try await withFixture(countries: CountryRule(allowedPrefixes: ["+49"])) { fixture async throws in
            #expect(try await send(notice(), fixture) == .refused(.notSent))
        }
    }

    @Test func `each is paid for from the budgets, and one without room is tried later`() async throws {
        var spend = SpendPolicy()
        (spend.mode, spend.budget) = (.enforce, .init(hour: 1_500, day: 9_000))
        spend.rows = [.init(prefix: SpendPolicy.defaultRow, prices: ["sms": 750])]
        try await withFixture(spend: spend) { fixture async throws in
            let notices = (0..<3).map { _ in Self.notice() }
            for notice in notices.prefix(2) { #expect(try await send(notice, fixture) == .answer(Done())) }
            #expect(try await send(notices[2], fixture) == .refused(.providerError))
            fixture.clock.advance(3_600)
            #expect(try await send(notices[2], fixture) == .answer(Done()))
            #expect(fixture.sender.messages.map(\.id) == notices.map(\.id))
        }
    }

    @Test func `notices of removals leave the budgets' part for recognised clients`() async throws {
        var spend = SpendPolicy()
        (spend.mode, spend.budget, spend.strangersPercent) = (.enforce, .init(hour: 1_500, day: 9_000), 60)
        spend.rows = [.init(prefix: SpendPolicy.defaultRow, prices: ["sms": 750])]
        try await withFixture(spend: spend) { fixture async throws in
            #expect(
                try await send(Self.notice(to: CodeFixture.phone, .inactivity, token: nil), fixture) == .answer(Done()))
            #expect(
                try await send(Self.notice(to: CodeFixture.phone, .inactivity, token: nil), fixture)
                    == .refused(.providerError))
            #expect(try await send(Self.notice(), fixture) == .answer(Done()))
        }
    }

    @Test func `the notice of a removal has its day and no link`() async throws {
        try await withFixture { fixture async throws in
            #expect(
                try await send(Self.notice(to: CodeFixture.phone, .inactivity, token: nil), fixture) == .answer(Done()))
            let text = try #require(fixture.sender.messages.first?.content.text)
            #expect(text.contains("2027-01-15") && !text.contains("http"), "\(text)")
            await #expect(throws: InvalidInput.self) {
                try await send(Self.notice(to: CodeFixture.phone, .inactivity), fixture)
            }
        }
    }

    @Test func `a notice reaches the numbers to which it is sent, and no others`() async throws {
        try await withFixture { fixture async throws in
            let send = try #require(fixture.phones.sendNotice)
            #expect(send.reaches(CodeFixture.phone) && !send.reaches("x"))
        }
        try await withFixture(countries: CountryRule(allowedPrefixes: ["+49"])) { fixture async throws in
            #expect(fixture.phones.sendNotice?.reaches(CodeFixture.phone) == false)
        }
        let verify = RecordingSender(abilities: SenderAbilities(channels: ["sms"], contents: [.code]))
        try await withFixture(line: SenderLine([verify])) { fixture async throws in
            #expect(fixture.phones.sendNotice?.reaches(CodeFixture.phone) == false)
        }
    }

    @Test func `nothing else goes to a number`() async throws {
        try await withFixture { fixture async throws in
            let wrong = [
                Self.notice(to: CodeFixture.phone, .passwordReset), Self.notice(token: nil),
                Self.notice(token: "short"), Self.notice(to: "x"),
            ]
            for notice in wrong {
                await #expect(throws: InvalidInput.self) { try await send(notice, fixture) }
            }
            #expect(fixture.sender.messages.isEmpty)
        }
    }
}

import CryptoPrimitives
import Delivery
import EmailAddresses
import FoundationEssentials
import InternalAPI
import OutgoingConnections
import Policies
import RedisClient
import ServiceCalls
import Testing

@testable import OTPCore

/// Addresses to which mail came back get none for a while.
@Suite(.timeLimit(.minutes(5))) struct BounceTests {
    private static let address = "ann@example.com"

    /// A webhook as Resend sends it.
    private static func webhook(
        _ type: String, at time: Int64, bounce: String = "Permanent", to: String = address, signedAt: Int64? = nil,
        secret: String = CodeFixture.webhookSecret, altered: Bool = false
    ) throws -> MailWebhook {
        let created = Date(timeIntervalSince1970: Double(time)).formatted(.iso8601).dropLast() + ".894719+00:00"
        let body =
            #"{"type":"email.\#(type)","created_at":"2026-02-22T23:41:12.126Z","data":{"email_id":"e","from":"a@b.co","#
            + #""to":["\#(to)"],"subject":"s","created_at":"\#(created)","bounce":{"type":"\#(bounce)","subType":"General","message":"m"}}}"#
        let timestamp = signedAt ?? CodeFixture.start
        let signature = try WebhookSignature(secrets: secret).header(
            id: "msg_1", timestamp: timestamp, body: Array(body.utf8))
        return MailWebhook(
            id: "msg_1", timestamp: "\(timestamp)", signature: "v1,AAAA \(signature)", body: altered ? body + " " : body
        )
    }

    private static func tell(_ webhook: MailWebhook, _ fixture: CodeFixture) async throws -> MailWebhookAnswer.Result {
        let note = try #require(fixture.wiring.notices?.noteMailStatus)
        return try await note(webhook).result
    }

    @Test(arguments: [("bounced", 7), ("suppressed", 7), ("complained", 30)])
    func `what came back bars the address for its days`(type: String, days: Int64) async throws {
        try await withFixture { fixture async throws in
            let event = try Self.webhook(type, at: CodeFixture.start, to: "Ann@Example.com")
            #expect(try await Self.tell(event, fixture) == .noted)
            #expect(try await Self.tell(event, fixture) == .noted)
            #expect(try await fixture.requestMail(Self.address).result == .undeliverable)
            #expect(try await fixture.requestMail("bob@example.com").result == .sent)
            #expect(fixture.mailSender.messages.map(\.recipient) == ["bob@example.com"])
            let key = RedisKeys.bar(try fixture.tag(of: Self.address))
            let left = try await fixture.redis.send(["TTL", RedisArgument(key)]).integerValue
            #expect(((days * 86_400 - 60)...(days * 86_400)).contains(left ?? 0))
        }
    }

    @Test func `a later mail that arrives clears it, an earlier one's does not, and a repeat bars no more`()
        async throws
    {
        try await withFixture { fixture async throws in
            let bounced = try Self.webhook("bounced", at: CodeFixture.start - 100)
            _ = try await Self.tell(bounced, fixture)
            _ = try await Self.tell(try Self.webhook("delivered", at: CodeFixture.start - 101), fixture)
            _ = try await Self.tell(try Self.webhook("delivered", at: CodeFixture.start - 100), fixture)
            #expect(try await fixture.requestMail(Self.address).result == .undeliverable)
            _ = try await Self.tell(try Self.webhook("delivered", at: CodeFixture.start - 50), fixture)
            #expect(try await fixture.requestMail(Self.address).result == .sent)
            _ = try await Self.tell(bounced, fixture)
            _ = try await Self.tell(try Self.webhook("complained", at: CodeFixture.start - 60), fixture)
            #expect(try await fixture.requestMail(Self.address).result == .sent)
            _ = try await Self.tell(try Self.webhook("bounced", at: CodeFixture.start - 40), fixture)
            #expect(try await fixture.requestMail(Self.address).result == .undeliverable)
        }
    }

    @Test func `the operator clears an address, whatever comes again of what was known`() async throws {
        try await withFixture { fixture async throws in
            let bounced = try Self.webhook("bounced", at: CodeFixture.start)
            let manage = try #require(fixture.wiring.notices?.manage)
            #expect(
                try await !manage.clear(MailAddressRequest(to: Self.address), noting: fixture.wiring.noteOperator)
                    .wasBarred)
            _ = try await Self.tell(bounced, fixture)
            #expect(
                try await manage.clear(MailAddressRequest(to: Self.address), noting: fixture.wiring.noteOperator)
                    .wasBarred)
            _ = try await Self.tell(bounced, fixture)
            #expect(try await fixture.requestMail(Self.address).result == .sent)
        }
    }

    @Test func `what may do the next time, and what is not ours to know, bars nobody`() async throws {
        try await withFixture { fixture async throws in
            for event in [
                try Self.webhook("bounced", at: CodeFixture.start, bounce: "Temporary"),
                try Self.webhook("delivery_delayed", at: CodeFixture.start),
                try Self.webhook("opened", at: CodeFixture.start),
                try Self.webhook("bounced", at: CodeFixture.start, to: "no address"),
            ] {
                #expect(try await Self.tell(event, fixture) == .noted)
            }
            #expect(try await fixture.requestMail(Self.address).result == .sent)
        }
    }

    @Test func `who is not the provider is heard by nobody`() async throws {
        try await withFixture { fixture async throws in
            let at = CodeFixture.start
            for event in [
                try Self.webhook("bounced", at: at, altered: true),
                try Self.webhook("bounced", at: at, secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
                try Self.webhook("bounced", at: at, signedAt: at - 301),
                try Self.webhook("bounced", at: at, signedAt: at + 301),
            ] {
                #expect(try await Self.tell(event, fixture) == .forged)
            }
            #expect(try await fixture.requestMail(Self.address).result == .sent)
        }
    }

    private static func notice(_ kind: MailNotice.Kind = .passwordReset) -> MailNotice {
        MailNotice(
            id: "0f8fad5b-d9cb-469f-a165-70867728950e", to: address, kind: kind, at: CodeFixture.start + 900,
            token: Base64URL.encode([UInt8](repeating: 7, count: 32)))
    }

    @Test func `account mails pass a complaint, and a bounce swallows them where support sees it`() async throws {
        try await withFixture { fixture async throws in
            let send = try #require(fixture.wiring.notices?.send)
            let manage = try #require(fixture.wiring.notices?.manage)
            let asked = MailAddressRequest(to: Self.address)
            #expect(try await manage.standing(asked) == MailStanding())
            _ = try await Self.tell(try Self.webhook("complained", at: CodeFixture.start), fixture)
            for kind in [MailNotice.Kind.passwordReset, .passwordChanged, .confirmRegistration, .invitation] {
                #expect(try await send(Self.notice(kind)) == .answer(Done()))
            }
            #expect(fixture.mailSender.messages.count == 4)
            #expect(try await fixture.requestMail(Self.address).result == .undeliverable)
            let complained = try await manage.standing(asked)
            #expect(complained.block == .complained && complained.swallowed == 0)
            // The complaint is about a mail that arrived; a later one comes back.
            _ = try await Self.tell(try Self.webhook("bounced", at: CodeFixture.start + 1), fixture)
            for _ in 0..<2 { #expect(try await send(Self.notice()) == .answer(Done())) }
            #expect(fixture.mailSender.messages.count == 4)
            let bounced = try await manage.standing(asked)
            #expect(bounced.block == .undeliverable && bounced.swallowed == 2)
            let removal = MailNotice(id: "r", to: Self.address, kind: .inactivity, at: CodeFixture.start)
            #expect(bounced.lastKind == "password_reset" && bounced.lastAt == fixture.clock.now)
            #expect(try await send(removal) == .refused(.notSent))
            // The bounce ends after seven days, the complaint later.
            fixture.clock.advance(7 * 86_400)
            #expect(try await send(Self.notice()) == .answer(Done()))
            #expect(fixture.mailSender.messages.count == 5)
            #expect(try await fixture.requestMail(Self.address).result == .undeliverable)
            #expect(try await manage.clear(asked, noting: fixture.wiring.noteOperator).wasBarred)
            #expect(try await manage.standing(asked).block == nil)
        }
    }

    @Test func `a complaint after a bounce lets account mails pass at once`() async throws {
        try await withFixture { fixture async throws in
            let send = try #require(fixture.wiring.notices?.send)
            _ = try await Self.tell(try Self.webhook("bounced", at: CodeFixture.start - 10), fixture)
            #expect(try await send(Self.notice()) == .answer(Done()))
            #expect(fixture.mailSender.messages.isEmpty)
            _ = try await Self.tell(try Self.webhook("complained", at: CodeFixture.start), fixture)
            #expect(try await send(Self.notice()) == .answer(Done()))
            #expect(fixture.mailSender.messages.count == 1)
        }
    }

    @Test func `a mail server that knows nobody there is not asked again`() async throws {
        try await withFixture { fixture async throws in
            fixture.mailSender.fail(with: .undeliverable)
            #expect(try await fixture.requestMail(Self.address).result == .undeliverable)
            fixture.mailSender.fail(with: nil)
            #expect(try await fixture.requestMail(Self.address).result == .undeliverable)
            #expect(fixture.mailSender.messages.count == 1)
        }
    }

    @Test(arguments: [DeliveryFailure.Reason.undeliverable, .refused, .limited])
    func `a limit never answers with what a mail server said of another address`(
        _ reason: DeliveryFailure.Reason
    ) async throws {
        var policy = EmailPolicy()
        policy.codes.sendsPerRecipient = [RateLimit(max: 1, windowSeconds: 3_600)]
        try await withFixture(email: policy) { fixture async throws in
            #expect(try await fixture.requestMail(Self.address).result == .sent)
            fixture.mailSender.fail(with: DeliveryFailure(reason, providerCode: 550))
            #expect(try await fixture.requestMail("nobody@example.org").result != .sent)
            #expect(try await fixture.requestMail(Self.address).result == .sent)
            #expect(fixture.mailSender.messages.count == 2)
            let manage = try #require(fixture.wiring.notices?.manage)
            #expect(try await manage.standing(MailAddressRequest(to: Self.address)).block == nil)
            let other = try await manage.standing(MailAddressRequest(to: "nobody@example.org"))
            #expect((other.block == .undeliverable) == (reason == .undeliverable))
        }
    }

    @Test func `a limit answers as an outage of the mail server does`() async throws {
        var policy = EmailPolicy()
        policy.codes.sendsPerRecipient = [RateLimit(max: 1, windowSeconds: 3_600)]
        try await withFixture(email: policy) { fixture async throws in
            #expect(try await fixture.requestMail(Self.address).result == .sent)
            fixture.mailSender.fail(with: DeliveryFailure(connection: .connectTimedOut))
            #expect(try await fixture.requestMail("bob@example.org").result == .providerError)
            #expect(try await fixture.requestMail(Self.address).result == .providerError)
        }
    }
}

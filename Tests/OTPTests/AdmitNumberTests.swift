import Delivery
import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// A number that a provider's token has verified: lockouts and limits are those of codes, and no code is touched.
@Suite(.timeLimit(.minutes(5))) struct AdmitNumberTests {
    private static let (home, away) = ("198.51.100.7", "203.0.113.9")

    private func admit(
        _ fixture: CodeFixture, _ phone: String = CodeFixture.phone, from address: String = home, call: String? = nil,
        signedInAs signedInPhone: String? = nil
    ) async throws -> Int64? {
        try await fixture.phones.admitNumber(
            VerifiedNumber(
                phone: phone, address: address, signedInPhone: signedInPhone, callID: call ?? CodeFixture.newCall())
        ).retryAfterSeconds
    }

    private func lock(_ fixture: CodeFixture, from address: String = away) async throws {
        let code = try await fixture.sentCode(from: address)
        for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number), from: address) }
        #expect(try await fixture.verify(code, from: address).result == .tooManyAttempts)
    }

    @Test func `a locked number stays locked for its token, in every spelling, until the lockout ends`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await lock(fixture)
            for phone in ["+15551234567", "+1 (555) 123-4567"] {
                #expect(try await admit(fixture, phone) == 3_600)
            }
            #expect(try await admit(fixture, "+15551234568") == nil)
            fixture.clock.advance(3_599)
            #expect(try await admit(fixture) == 1)
            fixture.clock.advance(1)
            #expect(try await admit(fixture) == nil)
        }
    }

    @Test func `strangers' wrong codes do not lock the owner out, who is recognised after a token`() async throws {
        try await withFixture(.howru) { fixture async throws in
            #expect(try await admit(fixture) == nil)
            fixture.clock.advance(3_600)
            try await lock(fixture)
            #expect(try await admit(fixture, from: Self.away) == 3_600)
            #expect(try await admit(fixture) == nil)
            #expect(try await admit(fixture, from: "192.0.2.1", signedInAs: CodeFixture.phone) == nil)
        }
    }

    @Test func `tokens and right codes count together, and a repeat of the call does not`() async throws {
        try await withFixture(.howru) { fixture async throws in
            for number in 0..<5 {
                let call = CodeFixture.newCall()
                // Each from another network, so that none becomes recognised.
                for _ in 0..<3 { #expect(try await admit(fixture, from: "203.0.\(number).1", call: call) == nil) }
            }
            #expect(try await admit(fixture, from: "203.0.9.1") != nil)
            let code = try await fixture.sentCode(from: "203.0.10.1")
            #expect(try await fixture.verify(code, from: "203.0.10.1").result == .tooManyAttempts)
        }
    }

    @Test func `one client presents only so many tokens, whichever their numbers`() async throws {
        var policy = OTPPolicy.generous
        policy.attemptsPerAddress = [RateLimit(max: 3, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            for number in 1...3 { #expect(try await admit(fixture, "+1555123456\(number)") == nil) }
            #expect(try await admit(fixture, "+15551234564") != nil)
            #expect(try await admit(fixture, "+15551234564", from: Self.away) == nil)
        }
    }

    @Test func `a code that was sent stays as it is, and a review access plays no part`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            #expect(try await admit(fixture) == nil)
            #expect(try await fixture.verify(code).result == .approved)
            let manage = fixture.wiring.manageReviews
            _ = try await manage.open(
                ReviewAccessRequest(phone: "+15551234568", until: fixture.clock.now + 86_400))
            #expect(try await admit(fixture, "+15551234568") == nil)
            let entries = try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"])
            let words = (entries.arrayValue ?? []).flatMap { $0.arrayValue?.last?.arrayValue ?? [] }.compactMap(\.text)
            #expect(words.count { $0 == "stranger token" } == 2 && !words.contains("otp.review_used"))
        }
    }

    @Test func `a provider that makes codes is not asked, not even with a code open`() async throws {
        try await withManaged { fixture, provider async throws in
            #expect(try await fixture.request().result == .sent)
            provider.fail(with: .timedOut)
            #expect(try await admit(fixture) == nil)
            #expect(provider.asked.isEmpty)
        }
    }

    @Test func `what is no number, no address or no call is refused, and a lost Redis admits nobody`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let phone = CodeFixture.phone
            let wrong = [("5551234567", Self.home, "c"), (phone, "x", "c"), (phone, Self.home, "")]
            for (phone, address, call) in wrong {
                await #expect(throws: InvalidInput.self) { try await admit(fixture, phone, from: address, call: call) }
            }
            try await fixture.server.kill()
            await #expect(throws: ChallengeStoreFailure.self) { try await admit(fixture) }
        }
    }
}

import Delivery
import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct ScopeTests {
    private static let home = "198.51.100.7"
    private static let away = "203.0.113.9"

    /// Signs the owner in at home, and lets what that counted leave its windows.
    private func signInAtHome(_ fixture: CodeFixture) async throws {
        #expect(
            try await fixture.verify(try await fixture.sentCode(from: Self.home), from: Self.home).result == .approved)
        fixture.clock.advance(86_400)
    }

    /// Uses up all limits of unrecognised clients for the phone number.
    private func burn(_ fixture: CodeFixture) async throws {
        for _ in 0..<30 { _ = try await fixture.request(from: Self.away) }
        let code = fixture.sender.messages.last?.content.code ?? ""
        for number in 0..<30 { _ = try await fixture.verify(CodeFixture.wrong(code, number), from: Self.away) }
        #expect(try await fixture.request(from: Self.away).result == .rateLimited)
        #expect(try await fixture.verify(code, from: Self.away).result == .tooManyAttempts)
    }

    @Test func `a stranger who burns every limit does not stop the owner's known phone`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await signInAtHome(fixture)
            try await burn(fixture)
            // Another address of the same network.
            let code = try await fixture.sentCode(from: "198.51.100.200")
            #expect(try await fixture.verify(code, from: "198.51.100.201").result == .approved)
        }
    }

    @Test func `a token of the owner opens the owner's scope anywhere, another person's token does not`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await burn(fixture)
            #expect(try await fixture.request(from: Self.away, signedInAs: "+15551234568").result == .rateLimited)
            #expect(try await fixture.request(from: Self.away, signedInAs: "+1 555 123 4567").result == .sent)
            let code = fixture.sender.messages.last?.content.code ?? ""
            #expect(try await fixture.verify(code, from: Self.away).result == .tooManyAttempts)
            let answer = try await fixture.verify(code, from: Self.away, signedInAs: CodeFixture.phone)
            #expect(answer.result == .approved)
        }
    }

    @Test func `a stranger's guesses and requests do not take the owner's code away`() async throws {
        var policy = OTPPolicy.generous
        policy.attemptsPerChallenge = 3
        try await withFixture(policy) { fixture async throws in
            try await signInAtHome(fixture)
            let code = try await fixture.sentCode(from: Self.home)
            for number in 0..<3 {
                let guess = try await fixture.verify(CodeFixture.wrong(code, number), from: Self.away)
                #expect(guess.result == .wrongCode)
            }
            let guess = try await fixture.verify(code, from: Self.away)
            #expect(guess == OTPVerifyAnswer(.tooManyAttempts, limit: .lockout, retryAfterSeconds: 300))
            fixture.clock.advance(100)
            let refused = try await fixture.request(from: Self.away)
            #expect(refused == OTPRequestAnswer(.rateLimited, limit: .sends, retryAfterSeconds: 200))
            #expect(try await fixture.verify(code, from: Self.home).result == .approved)
            // Nor the minute in which the owner's sign-in may be repeated.
            #expect(try await fixture.request(from: Self.away).retryAfterSeconds == 60)
            #expect(try await fixture.verify(code, from: Self.home).result == .approved)
            fixture.clock.advance(60)
            #expect(try await fixture.request(from: Self.away).result == .sent)
        }
    }

    @Test func `both scopes have their own lockout, attempts and sends`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await signInAtHome(fixture)
            let code = try await fixture.sentCode(from: Self.home)
            for number in 0..<5 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number), from: Self.home).result == .wrongCode)
            }
            #expect(try await fixture.verify(code, from: Self.home).retryAfterSeconds == 3_600)
            #expect(try await fixture.request(from: Self.home).retryAfterSeconds == 3_600)
            // The owner away from home is unrecognised, and has only what unrecognised clients have left.
            for number in 0..<4 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number), from: Self.away).result == .wrongCode)
            }
            #expect(try await fixture.verify(code, from: Self.away).result == .approved)
            // Which makes that network known, and locked.
            #expect(try await fixture.request(from: Self.away).result == .rateLimited)
        }
    }

    @Test func `a number is known for ninety days, at seven networks, each by its last sign-in`() async throws {
        try await withFixture(.generous) { fixture async throws in
            for number in 1...8 {
                let address = "198.51.\(number).1"
                #expect(
                    try await fixture.verify(try await fixture.sentCode(from: address), from: address).result
                        == .approved)
                fixture.clock.advance(3_600)
            }
            #expect(try await isKnown(fixture, from: "198.51.8.99"))
            #expect(try await isKnown(fixture, from: "198.51.2.99"))
            #expect(try await !isKnown(fixture, from: "198.51.1.1"))
            fixture.clock.advance(89 * 86_400)
            #expect(try await isKnown(fixture, from: "198.51.3.1"))
            fixture.clock.advance(2 * 86_400)
            #expect(try await !isKnown(fixture, from: "198.51.3.1"))
        }
    }

    @Test func `IPv6 callers are known by their 48`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let code = try await fixture.sentCode(from: "2001:db8:1:1::1")
            #expect(try await fixture.verify(code, from: "2001:db8:1:2::1").result == .approved)
            #expect(try await isKnown(fixture, from: "2001:db8:1:ffff::9"))
            #expect(try await !isKnown(fixture, from: "2001:db8:2:1::1"))
        }
    }

    /// Whether the audit's newest record, of a request from `address`, says so.
    private func isKnown(_ fixture: CodeFixture, from address: String) async throws -> Bool {
        #expect(try await fixture.request(from: address).result == .sent)
        let newest = try await fixture.redis.send(["XREVRANGE", .text(OTPAuditStream.key), "+", "-", "COUNT", 1])
        return newest.arrayValue?.first?.arrayValue?.last?.arrayValue?.last?.text == "known"
    }
}

import Delivery
import InternalAPI
import Policies
import Testing

@testable import OTPCore

/// Two dialects with rules of their own over one history of a number.
@Suite(.timeLimit(.minutes(5))) struct DialectRuleTests {
    private static let aarokya = "aarokya"

    /// The rules of aarokya's policy, with its fixed code on.
    private static var rules: OTPPolicy {
        var policy = OTPPolicy()
        policy.lifetimeSeconds = 600
        policy.sendsPerRecipient = [RateLimit(max: 5, windowSeconds: 3_600)]
        policy.attemptsPerRecipient = [RateLimit(max: 20, windowSeconds: 86_400)]
        policy.lockouts = []
        return policy
    }

    private static var withFixedCode: OTPPolicy {
        var policy = rules
        policy.fixedCode = FixedCode(code: "123456", environments: [.uat])
        return policy
    }

    @Test func `every dialect with codes has a place of its own for its challenges`() throws {
        let withCodes = Dialect.knownNames.filter(ChallengePlace.isIn)
        #expect(withCodes == [Dialect.native, Dialect.aarokya, Dialect.supabase])
        let places = try withCodes.map { try #require(ChallengePlace(.signIn, in: $0)) }
        #expect(Set(places.map(\.number)).count == places.count && Set(places.map(\.name)).count == places.count)
        #expect(places.allSatisfy { (0...4).contains($0.number) })
    }

    @Test func `a code holds in the dialect that asked for it`() async throws {
        try await withFixture(.howru, aarokya: Self.rules) { fixture async throws in
            let native = try await fixture.sentCode()
            #expect(try await fixture.verify(native, in: Self.aarokya).result == .unknown)
            #expect(try await fixture.request(in: Self.aarokya).result == .sent)
            let aarokya = try #require(fixture.sender.messages.last?.content.code)
            if native != aarokya { #expect(try await fixture.verify(aarokya).result == .wrongCode) }
            let first = try await fixture.verify(aarokya, in: Self.aarokya)
            let second = try await fixture.verify(native)
            #expect(first.result == .approved && second.result == .approved)
            #expect(try fixture.attestation(first).proofID != fixture.attestation(second).proofID)
        }
    }

    @Test func `a fixed code of one opens nothing in the other`() async throws {
        try await withFixture(.howru, aarokya: Self.withFixedCode) { fixture async throws in
            #expect(try await fixture.request(in: Self.aarokya).result == .suppressed)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.verify("123456").result == .wrongCode)
            #expect(try await fixture.verify("123456", in: Self.aarokya).result == .approved)
        }
        try await withFixture(.howru, environment: .production, aarokya: Self.withFixedCode) { fixture async throws in
            #expect(try await fixture.request(in: Self.aarokya).result == .sent, "production does not know it")
        }
    }

    @Test func `a lockout that one has set holds in the other`() async throws {
        try await withFixture(.howru, aarokya: Self.rules) { fixture async throws in
            let code = try await fixture.sentCode()
            for number in 0..<5 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number)).result == .wrongCode)
            }
            #expect(try await fixture.request(in: Self.aarokya).result == .rateLimited)
            #expect(try await fixture.verify("123456", in: Self.aarokya).result == .tooManyAttempts)
            fixture.clock.advance(3_600)
            #expect(try await fixture.request(in: Self.aarokya).result == .sent)
        }
    }

    @Test func `wrong codes of one count towards the other's lockout`() async throws {
        try await withFixture(.howru, aarokya: Self.rules) { fixture async throws in
            #expect(try await fixture.request(in: Self.aarokya).result == .sent)
            let code = try #require(fixture.sender.messages.last?.content.code)
            for number in 0..<4 {
                #expect(
                    try await fixture.verify(CodeFixture.wrong(code, number), in: Self.aarokya).result == .wrongCode)
            }
            let native = try await fixture.sentCode()
            #expect(try await fixture.verify(CodeFixture.wrong(native)).result == .wrongCode)
            #expect(try await fixture.verify(native).result == .tooManyAttempts)
        }
    }

    @Test func `five wrong codes spoil the challenge, and another may be asked for`() async throws {
        try await withFixture(.howru, aarokya: Self.rules) { fixture async throws in
            for session in 0..<2 {
                #expect(try await fixture.request(in: Self.aarokya).result == .sent)
                let code = try #require(fixture.sender.messages.last?.content.code)
                for number in 0..<5 {
                    let guess = CodeFixture.wrong(code, 10 * session + number)
                    #expect(try await fixture.verify(guess, in: Self.aarokya).result == .wrongCode)
                }
                #expect(try await fixture.verify(code, in: Self.aarokya).result == .tooManyAttempts)
            }
        }
    }

    @Test func `sends count once, and each refuses by its own number`() async throws {
        try await withFixture(.howru, aarokya: Self.rules) { fixture async throws in
            for _ in 0..<3 { #expect(try await fixture.request(in: Self.aarokya).result == .sent) }
            #expect(try await fixture.request().result == .rateLimited, "howru sends three an hour")
            for _ in 0..<2 { #expect(try await fixture.request(in: Self.aarokya).result == .sent) }
            #expect(try await fixture.request(in: Self.aarokya).result == .rateLimited)
        }
    }

    @Test func `one forgets nothing that the other still needs`() async throws {
        try await withFixture(.howru, aarokya: Self.rules) { fixture async throws in
            #expect(try await fixture.request(in: Self.aarokya).result == .sent)
            let code = try #require(fixture.sender.messages.last?.content.code)
            // A native call tidies up by its own, shorter times.
            fixture.clock.advance(599)
            #expect(try await fixture.request().result == .sent)
            try await fixture.store.sweep(bucket: 0, now: fixture.clock.now)
            #expect(try await fixture.verify(code, in: Self.aarokya).result == .approved)
        }
    }

    @Test func `a dialect that is not on is no dialect`() async throws {
        try await withFixture(.howru) { fixture async throws in
            await #expect(throws: InvalidInput.self) { try await fixture.request(in: Self.aarokya) }
            await #expect(throws: InvalidInput.self) { try await fixture.request(in: "nobody") }
        }
    }
}

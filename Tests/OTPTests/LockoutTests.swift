import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct LockoutTests {
    @Test func `five wrong codes lock the number for an hour, for the right code and new codes too`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            for number in 0..<5 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number)).result == .wrongCode)
                fixture.clock.advance(2)
            }
            let refused = try await fixture.verify(code)
            #expect(refused.result == .tooManyAttempts)
            #expect(refused.retryAfterSeconds == 3_598 && refused.limit == .lockout)
            let request = try await fixture.request()
            #expect(request.result == .rateLimited)
            #expect(request.retryAfterSeconds == 3_598 && request.limit == .lockout)
            fixture.clock.advance(3_597)
            #expect(try await fixture.verify(code).retryAfterSeconds == 1)
            fixture.clock.advance(1)
            let fresh = try await fixture.sentCode()
            #expect(try await fixture.verify(fresh).result == .approved)
        }
    }

    @Test func `ten wrong codes in a day lock the number for a day`() async throws {
        try await withFixture(.howru) { fixture async throws in
            for round in 0..<2 {
                let code = try await fixture.sentCode()
                for number in 0..<5 {
                    #expect(try await fixture.verify(CodeFixture.wrong(code, number)).result == .wrongCode)
                }
                let refused = try await fixture.verify(code)
                #expect(refused.retryAfterSeconds == (round == 0 ? 3_600 : 86_400))
                if round == 0 { fixture.clock.advance(3_600) }
            }
            fixture.clock.advance(86_399)
            #expect(try await fixture.request().retryAfterSeconds == 1)
            fixture.clock.advance(1)
            #expect(try await fixture.verify(try await fixture.sentCode()).result == .approved)
        }
    }

    @Test func `the record of a day's lockout has the number, encrypted, and that of an hour has not`() async throws {
        try await withFixture(.howru) { fixture async throws in
            for round in 0..<2 {
                let code = try await fixture.sentCode()
                for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
                if round == 0 { fixture.clock.advance(3_600) }
            }
            #expect(try await fixture.lockedIdentities == [nil, .phone(CodeFixture.phone)])
            let stream = try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"])
            #expect(!"\(stream)".contains(CodeFixture.phone))
        }
    }

    @Test func `of many guesses at once no more are judged than the policy allows`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let code = try await fixture.sentCode()
            let results = try await concurrently(300) { number in
                try await fixture.verify(CodeFixture.wrong(code, number)).result
            }
            #expect(results.filter { $0 == .wrongCode }.count == 5)
            #expect(results.filter { $0 == .tooManyAttempts }.count == 295)
            #expect(try await fixture.verify(code).result == .tooManyAttempts)
        }
    }

    @Test func `wrong guesses around a success count as well`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let code = try await fixture.sentCode()
            #expect(try await fixture.verify(code).result == .approved)
            let results = try await concurrently(100) { number in
                try await fixture.verify(CodeFixture.wrong(code, number), from: "203.0.113.9").result
            }
            #expect(results.filter { $0 == .wrongCode }.count == 4)
        }
    }

    @Test func `attempts are limited over all challenges of a number, right ones among them`() async throws {
        try await withFixture(.howru) { fixture async throws in
            // Each from another network, so that none becomes recognised.
            for number in 0..<3 {
                let address = "203.0.\(number).1"
                let code = try await fixture.sentCode(from: address)
                #expect(try await fixture.verify(code, from: address).result == .approved)
                fixture.clock.advance(61)
            }
            #expect(try await fixture.verify("000000").result == .wrongCode)
            #expect(try await fixture.verify("000001").result == .wrongCode)
            let refused = try await fixture.verify("000002")
            #expect(refused.result == .tooManyAttempts)
            #expect(refused.retryAfterSeconds == 3_417)
        }
    }

    @Test func `an address has its own limit of attempts, whatever becomes of them`() async throws {
        var policy = OTPPolicy.howru
        policy.attemptsPerAddress = [RateLimit(max: 4, windowSeconds: 60)]
        try await withFixture(policy) { fixture async throws in
            for number in 0..<4 {
                #expect(try await fixture.verify("123456", phone: "+1555123400\(number)").result == .unknown)
            }
            let refused = try await fixture.verify("123456", phone: "+15551234009")
            #expect(refused.result == .tooManyAttempts)
            #expect(refused.retryAfterSeconds == 60)
            #expect(try await fixture.verify("123456", from: "198.51.100.8").result == .unknown)
        }
    }

    @Test func `guesses that are not judged do not lock a number out`() async throws {
        try await withFixture(.howru) { fixture async throws in
            for _ in 0..<20 { #expect(try await fixture.verify("123456").result == .unknown) }
            #expect(try await fixture.verify(try await fixture.sentCode()).result == .approved)
        }
    }

    @Test func `the script counts as the policy's rule does, whatever the history`() async throws {
        var policy = OTPPolicy.generous
        policy.sendsPerRecipient = [RateLimit(max: 3, windowSeconds: 50), RateLimit(max: 7, windowSeconds: 300)]
        try await withFixture(policy) { fixture async throws in
            var random = SeededRandom(state: 7)
            var sent: [Int64] = []
            for _ in 0..<200 {
                fixture.clock.advance(Int64.random(in: 0...40, using: &random))
                let expected = policy.sendsPerRecipient.retryAfterSeconds(times: sent, now: fixture.clock.now)
                let answer = try await fixture.request()
                #expect(answer.retryAfterSeconds == expected)
                if expected == nil { sent.append(fixture.clock.now) }
            }
            #expect(sent.count > 20)
            #expect(sent.count < 180)
        }
    }
}

/// Numbers that are the same in every run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

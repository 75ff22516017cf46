import Delivery
import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct SpendingLimitTests {
    @Test func `numbers alike but for the last four digits share the strangers' limit`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerPrefix = [RateLimit(max: 4, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            let results = try await concurrently(40) { number in
                try await fixture.request("+1555123\(4_000 + number)", from: "203.0.\(number).1").result
            }
            #expect(results.filter { $0 == .sent }.count == 4)
            #expect(fixture.sender.messages.count == 4)
            fixture.clock.advance(600)
            #expect(try await fixture.request("+15551239999").retryAfterSeconds == 3_000)
            #expect(try await fixture.request("+15551249999").result == .sent)
            fixture.clock.advance(3_000)
            #expect(try await fixture.request("+15551239999").result == .sent)
        }
    }

    @Test func `a number that is known is not held up by its neighbours`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerPrefix = [RateLimit(max: 2, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            #expect(try await fixture.verify(try await fixture.sentCode()).result == .approved)
            #expect(try await fixture.request("+15551230001").result == .sent)
            let refused = try await fixture.request("+15551230002")
            #expect(refused.result == .rateLimited && refused.limit == .sends)
            #expect(try await fixture.request(from: "203.0.113.9").result == .rateLimited)
            #expect(try await fixture.request().result == .sent)
        }
    }

    @Test func `a country and all together have their limits, for known numbers too`() async throws {
        var policy = OTPPolicy.generous
        policy.sendsPerCountry = [RateLimit(max: 3, windowSeconds: 60)]
        policy.sendsInTotal = [RateLimit(max: 5, windowSeconds: 3_600)]
        policy.sendsForKnownPercent = 0
        try await withFixture(policy) { fixture async throws in
            #expect(try await fixture.verify(try await fixture.sentCode()).result == .approved)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.request("+15551234000").result == .sent)
            fixture.clock.advance(10)
            #expect(try await fixture.request().retryAfterSeconds == 50)
            #expect(try await fixture.request("+442079460958").result == .sent)
            #expect(try await fixture.request("+442079460959").result == .sent)
            #expect(try await fixture.request("+442079460958").retryAfterSeconds == 3_590)
            #expect(fixture.sender.messages.count == 5)
        }
    }

    @Test(arguments: [true, false])
    func `strangers of 256 networks cannot use the part of a cap that is for known callers`(
        byCountry: Bool
    ) async throws {
        var policy = OTPPolicy.generous
        policy.sendsPerCountry = [RateLimit(max: byCountry ? 10 : 1_000, windowSeconds: 3_600)]
        policy.sendsInTotal = [RateLimit(max: byCountry ? 1_000 : 10, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            // Its own send counts as that of an unrecognised client: the number is recognised afterwards.
            #expect(try await fixture.verify(try await fixture.sentCode()).result == .approved)
            let results = try await concurrently(256) { number in
                try await fixture.request("+1555\(2_000_000 + number * 10_000)", from: "2001:db8:7:\(number)::1").result
            }
            #expect(results.filter { $0 == .sent }.count == 7)
            #expect(try await fixture.request("+15559990000", from: "203.0.113.77").result == .rateLimited)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.request().result == .rateLimited)
        }
    }

    @Test func `a refused request counts for nothing`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsInTotal = [RateLimit(max: 4, windowSeconds: 3_600)]
        policy.sendsForKnownPercent = 0
        try await withFixture(policy) { fixture async throws in
            for _ in 0..<20 { try await fixture.request() }
            #expect(try await fixture.request("+15551234568").result == .sent)
            #expect(try await fixture.request("+15551234568").result == .rateLimited)
        }
    }

    @Test func `a test number has its code until its day ends, and is sent nothing`() async throws {
        var policy = OTPPolicy.howru
        policy.testNumbers = [
            TestNumber(phone: CodeFixture.phone, code: "246810", endsAt: CodeFixture.start + 1_000)
        ]
        try await withFixture(policy) { fixture async throws in
            #expect(try await fixture.request().result == .suppressed)
            #expect(fixture.sender.messages.isEmpty)
            #expect(try await fixture.verify("246810").result == .approved)
            #expect(try await fixture.request("+15551234568").result == .sent)
            #expect(try await fixture.verify("246810", phone: "+15551234568").result == .wrongCode)
            fixture.clock.advance(1_000)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.verify("246810").result == .wrongCode)
        }
    }
}

import Delivery
import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct RequestCodeTests {
    @Test func `a code goes to the canonical number in the policy's words`() async throws {
        try await withFixture(.howru, region: "US") { fixture async throws in
            #expect(try await fixture.request("(555) 123-4567").result == .sent)
            let message = try #require(fixture.sender.messages.first)
            #expect(message.recipient == "+15551234567")
            let code = try #require(message.content.code)
            #expect(code.utf8.count == 6)
            #expect(message.content.text == "Your HowRU code is \(code)")
            #expect(message.channel == "sms")
        }
    }

    @Test func `a resend within the code's life repeats the code, and after it a new one kills the old`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let first = try await fixture.sentCode()
            fixture.clock.advance(299)
            #expect(try await fixture.sentCode() == first)
            fixture.clock.advance(1)
            let second = try await fixture.sentCode()
            try #require(second != first)
            #expect(try await fixture.verify(first).result == .wrongCode)
            #expect(try await fixture.verify(second).result == .approved)
        }
    }

    @Test func `a code that was used, or guessed at too often, is not sent again`() async throws {
        var policy = OTPPolicy.generous
        policy.attemptsPerChallenge = 3
        try await withFixture(policy) { fixture async throws in
            let first = try await fixture.sentCode()
            #expect(try await fixture.verify(first).result == .approved)
            let second = try await fixture.sentCode()
            #expect(second != first)
            for number in 0..<3 {
                #expect(try await fixture.verify(CodeFixture.wrong(second, number)).result == .wrongCode)
            }
            let refused = try await fixture.verify(second)
            #expect(refused.result == .tooManyAttempts)
            #expect(refused.retryAfterSeconds == 1)
            let third = try await fixture.sentCode()
            #expect(try await fixture.verify(third).result == .approved)
        }
    }

    @Test func `the fourth request in an hour waits as long as it is told, and not less`() async throws {
        try await withFixture(.howru) { fixture async throws in
            for _ in 0..<3 {
                #expect(try await fixture.request().result == .sent)
                fixture.clock.advance(10)
            }
            let refused = try await fixture.request()
            #expect(refused.result == .rateLimited)
            #expect(refused.retryAfterSeconds == 3_570 && refused.limit == .sends)
            fixture.clock.advance(3_569)
            #expect(try await fixture.request().retryAfterSeconds == 1)
            fixture.clock.advance(1)
            #expect(try await fixture.request().result == .sent)
            #expect(fixture.sender.messages.count == 4)
        }
    }

    @Test func `all spellings of a number share one counter`() async throws {
        let spellings = [
            "+15551234567", "+1 555 123 4567", "+1 (555) 123-4567", "001 555 123 4567", "5551234567", "555.123.4567",
            "\u{FF0B}1\u{FF15}\u{FF15}\u{FF15}1234567", "+1\u{200E}5551234567", "+15551234567 ext. 9",
        ]
        try await withFixture(.howru, region: "US") { fixture async throws in
            for spelling in spellings { try await fixture.request(spelling) }
            #expect(fixture.sender.messages.count == 3)
            #expect(Set(fixture.sender.messages.map(\.recipient)) == ["+15551234567"])
        }
    }

    @Test(arguments: ["", "12", "+999123456789", "hello", "+1555123456789012345"])
    func `what is no number is refused without a trace`(phone: String) async throws {
        try await withFixture { fixture async throws in
            #expect(try await fixture.request(phone).result == .invalidPhone)
            #expect(fixture.sender.messages.isEmpty)
            #expect(try await fixture.redis.send(["DBSIZE"]) == .integer(0))
        }
    }

    @Test func `a country that the policy does not serve is sent nothing`() async throws {
        try await withFixture(countries: CountryRule(allowedPrefixes: ["+1"])) { fixture async throws in
            #expect(try await fixture.request("+442079460958").result == .blockedCountry)
            #expect(try await fixture.request("+19005551234").result == .blockedCountry)
            #expect(fixture.sender.messages.isEmpty)
        }
    }

    @Test func `of many requests at once exactly the allowed ones are sent`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let results = try await concurrently(60) { _ in try await fixture.request().result }
            #expect(results.filter { $0 == .sent }.count == 3)
            #expect(results.filter { $0 == .rateLimited }.count == 57)
            #expect(fixture.sender.messages.count == 3)
        }
    }

    @Test func `a repeat of the same call is neither counted nor sent again`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let results = try await concurrently(20) { _ in try await fixture.request(call: "the-same").result }
            #expect(results.allSatisfy { $0 == .sent })
            #expect(fixture.sender.messages.count == 1)
            try await fixture.request()
            try await fixture.request()
            #expect(fixture.sender.messages.count == 3)
            #expect(try await fixture.request(call: "the-same").result == .sent)
            #expect(fixture.sender.messages.count == 3)
        }
    }

    @Test func `a failed send is told, counts, and is told again to a repeat of its call`() async throws {
        try await withFixture(.howru) { fixture async throws in
            fixture.sender.fail(with: .timedOut)
            #expect(try await fixture.request(call: "first").result == .providerError)
            fixture.sender.fail(with: nil)
            #expect(try await fixture.request(call: "first").result == .providerError)
            #expect(fixture.sender.messages.count == 1)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.request().result == .rateLimited)
        }
    }

    @Test func `a fixed code is accepted and nothing is sent`() async throws {
        var policy = OTPPolicy.howru
        policy.fixedCode = FixedCode(code: "123456", environments: [.uat])
        try await withFixture(policy) { fixture async throws in
            #expect(try await fixture.request().result == .suppressed)
            #expect(fixture.sender.messages.isEmpty)
            #expect(try await fixture.verify("123456").result == .approved)
        }
    }

    @Test func `one address cannot send to ever more numbers, and an IPv6 network counts as one`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerAddress = [RateLimit(max: 5, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            let results = try await concurrently(30) { number in
                try await fixture.request("+1555123\(4_000 + number)", from: "2001:db8:0:1::\(number)").result
            }
            #expect(results.filter { $0 == .sent }.count == 5)
            fixture.clock.advance(100)
            let refused = try await fixture.request("+15551235000", from: "2001:db8:0:1::ffff")
            #expect(refused.retryAfterSeconds == 3_500)
            #expect(try await fixture.request("+15551235000", from: "2001:db8:0:2::1").result == .sent)
            fixture.clock.advance(3_500)
            #expect(try await fixture.request("+15551235001", from: "2001:db8:0:1::1").result == .sent)
        }
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "::ffff:127.0.0.1"])
    func `addresses of this machine and of private networks are limited only when asked for`(
        address: String
    ) async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerAddress = [RateLimit(max: 1, windowSeconds: 3_600)]
        for exemption in [LimitExemption.byAddress, .all] {
            try await withFixture(policy, localExemption: exemption) { fixture async throws in
                #expect(try await fixture.request("+15551234567", from: address).result == .sent)
                #expect(try await fixture.request("+15551234568", from: address).result == .sent)
            }
        }
        try await withFixture(policy, localExemption: .none) { fixture async throws in
            #expect(try await fixture.request("+15551234567", from: address).result == .sent)
            let refused = try await fixture.request("+15551234568", from: address)
            #expect(refused.result == .rateLimited && refused.limit == .requests)
        }
    }

    @Test(arguments: [LimitExemption.byAddress, .all])
    func `where private addresses are exempt from limits by address alone, the caps on sends hold`(
        exemption: LimitExemption
    ) async throws {
        var policy = OTPPolicy.howru
        policy.sendsInTotal = [RateLimit(max: 1, windowSeconds: 3_600)]
        try await withFixture(policy, localExemption: exemption) { fixture async throws in
            #expect(try await fixture.request("+15551234567", from: "10.1.2.3").result == .sent)
            let second = try await fixture.request("+15559876543", from: "10.1.2.3").result
            #expect(second == (exemption == .all ? .sent : .rateLimited))
        }
    }

    @Test(arguments: [("+5511987654321", "+551187654321"), ("+5491123456789", "+541123456789")])
    func `spellings of one handset are one number: the message goes there, and the code proves it`(
        first: String, second: String
    ) async throws {
        try await withFixture { fixture async throws in
            #expect(try await fixture.request(first).result == .sent)
            #expect(try await fixture.request(second).result == .sent)
            #expect(fixture.sender.messages.map(\.recipient) == [first, first])
            #expect(Set(fixture.sender.messages.map(\.content.code)).count == 1)
            let code = try #require(fixture.sender.messages[0].content.code)
            for phone in [first, second] {
                let answer = try await fixture.verify(code, phone: phone, signedInAs: second)
                #expect(try fixture.attestation(answer).identity == .phone(first))
            }
            fixture.clock.advance(4_000)
            #expect(try await fixture.request(second).result == .sent)
            let next = try #require(fixture.sender.messages.last?.content.code)
            for number in 0..<4 {
                #expect(
                    try await fixture.verify(CodeFixture.wrong(next, number), phone: first, from: "203.0.113.9").result
                        == .wrongCode)
            }
            #expect(
                try await fixture.verify(CodeFixture.wrong(next, 4), phone: second, from: "203.0.113.9").result
                    == .wrongCode)
            #expect(try await fixture.verify(next, phone: first, from: "203.0.113.9").result == .tooManyAttempts)
        }
    }

    @Test func `a call without id or address is refused`() async throws {
        try await withFixture { fixture async throws in
            await #expect(throws: InvalidInput.self) { try await fixture.request(call: "") }
            await #expect(throws: InvalidInput.self) {
                try await fixture.request(call: String(repeating: "x", count: 129))
            }
            await #expect(throws: InvalidInput.self) { try await fixture.request(from: "localhost") }
            #expect(fixture.sender.messages.isEmpty)
        }
    }
}

import Delivery
import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(1))) struct RequestCodeTests {
    @Test func `a code goes to the canonical number in the policy's words`() async throws {
        try await withBench(.howru, region: "US") { bench async throws in
            #expect(try await bench.request("(555) 123-4567").result == .sent)
            let message = try #require(bench.sender.messages.first)
            #expect(message.phone == "+15551234567")
            #expect(message.code.utf8.count == 6)
            #expect(message.text == "Your HowRU code is \(message.code)")
            #expect(message.channel == "sms")
        }
    }

    @Test func `a resend within the code's life repeats the code, and after it a new one kills the old`() async throws {
        try await withBench(.generous) { bench async throws in
            let first = try await bench.sentCode()
            bench.clock.advance(299)
            #expect(try await bench.sentCode() == first)
            bench.clock.advance(1)
            let second = try await bench.sentCode()
            try #require(second != first)
            #expect(try await bench.verify(first).result == .wrongCode)
            #expect(try await bench.verify(second).result == .approved)
        }
    }

    @Test func `a code that was used, or guessed at too often, is not sent again`() async throws {
        var policy = OTPPolicy.generous
        policy.attemptsPerChallenge = 3
        try await withBench(policy) { bench async throws in
            let first = try await bench.sentCode()
            #expect(try await bench.verify(first).result == .approved)
            let second = try await bench.sentCode()
            #expect(second != first)
            for number in 0..<3 {
                #expect(try await bench.verify(CodeBench.wrong(second, number)).result == .wrongCode)
            }
            let refused = try await bench.verify(second)
            #expect(refused.result == .tooManyAttempts)
            #expect(refused.retryAfterSeconds == 1)
            let third = try await bench.sentCode()
            #expect(try await bench.verify(third).result == .approved)
        }
    }

    @Test func `the fourth request in an hour waits as long as it is told, and not less`() async throws {
        try await withBench(.howru) { bench async throws in
            for _ in 0..<3 {
                #expect(try await bench.request().result == .sent)
                bench.clock.advance(10)
            }
            let refused = try await bench.request()
            #expect(refused.result == .rateLimited)
            #expect(refused.retryAfterSeconds == 3_570)
            bench.clock.advance(3_569)
            #expect(try await bench.request().retryAfterSeconds == 1)
            bench.clock.advance(1)
            #expect(try await bench.request().result == .sent)
            #expect(bench.sender.messages.count == 4)
        }
    }

    @Test func `all spellings of a number share one counter`() async throws {
        let spellings = [
            "+15551234567", "+1 555 123 4567", "+1 (555) 123-4567", "001 555 123 4567", "5551234567", "555.123.4567",
            "\u{FF0B}1\u{FF15}\u{FF15}\u{FF15}1234567", "+1\u{200E}5551234567", "+15551234567 ext. 9",
        ]
        try await withBench(.howru, region: "US") { bench async throws in
            for spelling in spellings { try await bench.request(spelling) }
            #expect(bench.sender.messages.count == 3)
            #expect(Set(bench.sender.messages.map(\.phone)) == ["+15551234567"])
        }
    }

    @Test(arguments: ["", "12", "+999123456789", "hello", "+1555123456789012345"])
    func `what is no number is refused without a trace`(phone: String) async throws {
        try await withBench { bench async throws in
            #expect(try await bench.request(phone).result == .invalidPhone)
            #expect(bench.sender.messages.isEmpty)
            #expect(try await bench.redis.send(["DBSIZE"]) == .integer(0))
        }
    }

    @Test func `a country that the policy does not serve is sent nothing`() async throws {
        try await withBench(countries: CountryRule(allowedPrefixes: ["+1"])) { bench async throws in
            #expect(try await bench.request("+442079460958").result == .blockedCountry)
            #expect(try await bench.request("+19005551234").result == .blockedCountry)
            #expect(bench.sender.messages.isEmpty)
        }
    }

    @Test func `of many requests at once exactly the allowed ones are sent`() async throws {
        try await withBench(.howru) { bench async throws in
            let results = try await concurrently(60) { _ in try await bench.request().result }
            #expect(results.filter { $0 == .sent }.count == 3)
            #expect(results.filter { $0 == .rateLimited }.count == 57)
            #expect(bench.sender.messages.count == 3)
        }
    }

    @Test func `a repeat of the same call is neither counted nor sent again`() async throws {
        try await withBench(.howru) { bench async throws in
            let results = try await concurrently(20) { _ in try await bench.request(call: "the-same").result }
            #expect(results.allSatisfy { $0 == .sent })
            #expect(bench.sender.messages.count == 1)
            try await bench.request()
            try await bench.request()
            #expect(bench.sender.messages.count == 3)
            #expect(try await bench.request(call: "the-same").result == .sent)
            #expect(bench.sender.messages.count == 3)
        }
    }

    @Test func `a failed send is told, counts, and is told again to a repeat of its call`() async throws {
        try await withBench(.howru) { bench async throws in
            bench.sender.fail(with: .timedOut)
            #expect(try await bench.request(call: "first").result == .providerError)
            bench.sender.fail(with: nil)
            #expect(try await bench.request(call: "first").result == .providerError)
            #expect(bench.sender.messages.count == 1)
            #expect(try await bench.request().result == .sent)
            #expect(try await bench.request().result == .sent)
            #expect(try await bench.request().result == .rateLimited)
        }
    }

    @Test func `a fixed code is accepted and nothing is sent`() async throws {
        var policy = OTPPolicy.howru
        policy.fixedCode = FixedCode(code: "123456", environments: [.uat])
        try await withBench(policy) { bench async throws in
            #expect(try await bench.request().result == .suppressed)
            #expect(bench.sender.messages.isEmpty)
            #expect(try await bench.verify("123456").result == .approved)
        }
    }

    @Test func `one address cannot send to ever more numbers, and an IPv6 network counts as one`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerAddress = [RateLimit(max: 5, windowSeconds: 3_600)]
        try await withBench(policy) { bench async throws in
            let results = try await concurrently(30) { number in
                try await bench.request("+1555123\(4_000 + number)", from: "2001:db8:0:1::\(number)").result
            }
            #expect(results.filter { $0 == .sent }.count == 5)
            bench.clock.advance(100)
            let refused = try await bench.request("+15551235000", from: "2001:db8:0:1::ffff")
            #expect(refused.retryAfterSeconds == 3_500)
            #expect(try await bench.request("+15551235000", from: "2001:db8:0:2::1").result == .sent)
            bench.clock.advance(3_500)
            #expect(try await bench.request("+15551235001", from: "2001:db8:0:1::1").result == .sent)
        }
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "::ffff:127.0.0.1"])
    func `addresses of this machine and of private networks are limited only when asked for`(
        address: String
    ) async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerAddress = [RateLimit(max: 1, windowSeconds: 3_600)]
        for exemption in [LimitExemption.byAddress, .all] {
            try await withBench(policy, localExemption: exemption) { bench async throws in
                #expect(try await bench.request("+15551234567", from: address).result == .sent)
                #expect(try await bench.request("+15551234568", from: address).result == .sent)
            }
        }
        try await withBench(policy, localExemption: .none) { bench async throws in
            #expect(try await bench.request("+15551234567", from: address).result == .sent)
            #expect(try await bench.request("+15551234568", from: address).result == .rateLimited)
        }
    }

    @Test(arguments: [LimitExemption.byAddress, .all])
    func `where private addresses are exempt from limits by address alone, the caps on sends hold`(
        exemption: LimitExemption
    ) async throws {
        var policy = OTPPolicy.howru
        policy.sendsInTotal = [RateLimit(max: 1, windowSeconds: 3_600)]
        try await withBench(policy, localExemption: exemption) { bench async throws in
            #expect(try await bench.request("+15551234567", from: "10.1.2.3").result == .sent)
            let second = try await bench.request("+15559876543", from: "10.1.2.3").result
            #expect(second == (exemption == .all ? .sent : .rateLimited))
        }
    }

    @Test(arguments: [("+5511987654321", "+551187654321"), ("+5491123456789", "+541123456789")])
    func `spellings of one handset share sends, codes and wrong guesses, and the message goes where it was asked for`(
        first: String, second: String
    ) async throws {
        try await withBench { bench async throws in
            #expect(try await bench.request(first).result == .sent)
            #expect(try await bench.request(second).result == .sent)
            #expect(bench.sender.messages.map(\.phone) == [first, second])
            #expect(Set(bench.sender.messages.map(\.code)).count == 1)
            let code = bench.sender.messages[0].code
            for number in 0..<4 {
                #expect(try await bench.verify(CodeBench.wrong(code, number), phone: first).result == .wrongCode)
            }
            #expect(try await bench.verify(CodeBench.wrong(code, 4), phone: second).result == .wrongCode)
            #expect(try await bench.verify(code, phone: first).result == .tooManyAttempts)
        }
    }

    @Test func `a call without id, with another channel or without address is refused`() async throws {
        try await withBench { bench async throws in
            await #expect(throws: InvalidCall.self) { try await bench.request(call: "") }
            await #expect(throws: InvalidCall.self) {
                try await bench.request(call: String(repeating: "x", count: 129))
            }
            await #expect(throws: InvalidCall.self) { try await bench.request(from: "localhost") }
            await #expect(throws: InvalidCall.self) {
                try await bench.routes.codes(of: nil).request(
                    OTPRequest(
                        phone: CodeBench.phone, region: nil, purpose: .signIn, channel: "fax", address: "198.51.100.7",
                        callID: "1"))
            }
            #expect(bench.sender.messages.isEmpty)
        }
    }
}

/// Runs `body` so many times at once.
func concurrently<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

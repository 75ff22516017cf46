import Policies
import RedisClient
import TestSupport
import Testing

@testable import UserCore

/// Limits of requests for mails: the people whose mails they delay, and the content of their responses.
@Suite(.timeLimit(.minutes(5))) struct MailLimitsTests {
    private static let home = "192.0.2.1"

    /// How many of `count` requests are followed by a mail; each comes after the time in which it would be a repeat.
    private func mails(
        _ count: Int, _ fixture: GuessFixture, _ purpose: AccountMail.Purpose = .reset,
        from client: (Int) -> String
    ) async throws -> Int {
        var mails = 0
        for number in 0..<count {
            if try await fixture.mails("ann@example.com", purpose, password: "\(number)", from: client(number)) {
                mails += 1
            }
            fixture.clock.advance(seconds: AccountMailLimits.repeatSeconds)
        }
        return mails
    }

    /// Begins an hour of the clock, and a day.
    private func startDay(_ fixture: GuessFixture) {
        fixture.clock.advance(seconds: 86_400 - fixture.clock.seconds % 86_400)
    }

    @Test func `the same request sends one mail in three minutes, and costs no second one`() async throws {
        try await withGuessLimits { fixture async throws in
            #expect(try await fixture.mails())
            for number in 0..<50 {
                let client = GuessFixture.network(number)
                #expect(try await fixture.limits.admit(fixture.mail(" Ann@Example.COM ", from: client)) == .silent)
            }
            #expect(try await fixture.mails("ann@example.com", .registration, password: "a"))
            #expect(try await fixture.mails("ann@example.com", .registration, password: "b"))
            #expect(try await !fixture.mails("ann@example.com", .registration, password: "b"))
            // Another account, which shares no more than the mailbox.
            #expect(try await fixture.mails("ann+work@example.com"))
            fixture.clock.advance(seconds: AccountMailLimits.repeatSeconds)
            #expect(try await fixture.mails(from: "203.0.113.1"))
        }
    }

    @Test func `a call that comes again before it has an answer is no repeat of another, and counts once`() async throws
    {
        try await withGuessLimits { fixture async throws in
            startDay(fixture)
            let mail = try fixture.mail()
            for _ in 0..<20 {
                _ = try await fixture.limits.admit(mail).asker
            }
            #expect(try await !fixture.mails())
            fixture.clock.advance(seconds: AccountMailLimits.repeatSeconds)
            #expect(try await fixture.mails())
        }
    }

    @Test func `one that was not carried out is no repeat the next time`() async throws {
        try await withGuessLimits { fixture async throws in
            let mail = try fixture.mail()
            let asker = try await fixture.limits.admit(mail).asker
            try await fixture.limits.forget(mail, of: asker)
            #expect(try await fixture.mails())
        }
    }

    @Test(arguments: [true, false])
    func `those that were not carried out use up no quota, and each is taken back once`(
        isRecognised: Bool
    ) async throws {
        try await withGuessLimits { fixture async throws in
            startDay(fixture)
            if isRecognised { try await fixture.right(fixture.guess(from: Self.home)) }
            let counts = { () async throws in
                var counts: [String: String] = [:]
                for key in try await fixture.redis.send(["KEYS", "*"]).arrayValue ?? [] {
                    guard let key = key.text, try await fixture.redis.send(["TYPE", .text(key)]).text == "string" else {
                        continue
                    }
                    let value = try await fixture.redis.send(["GET", .text(key)])
                    if let text = value.text, let number = Int(text), number > 0 { counts[key] = text }
                }
                return counts
            }
            #expect(try await fixture.mails("bob@example.com", from: Self.home))
            let before = try await counts()
            for _ in 0..<9 {
                let mail = try fixture.mail(from: Self.home)
                let asker = try await fixture.limits.admit(mail).asker
                #expect(asker.isRecognised == isRecognised)
                for _ in 0..<2 { try await fixture.limits.forget(mail, of: asker) }
            }
            #expect(try await counts() == before)
            #expect(!before.isEmpty)
            #expect(try await fixture.mails(from: Self.home))
        }
    }

    @Test func `a mailbox has three mails an hour and ten a day, its owner's networks as many again`() async throws {
        try await withGuessLimits { fixture async throws in
            startDay(fixture)
            try await fixture.right(fixture.guess(from: Self.home))
            #expect(try await mails(9, fixture) { GuessFixture.network($0) } == 3)
            #expect(try await mails(5, fixture) { _ in Self.home } == 2)
            var more = 0
            for hour in 1..<8 {
                fixture.clock.advance(seconds: 3_600 - fixture.clock.seconds % 3_600)
                more += try await mails(5, fixture) { GuessFixture.network(hour * 10 + $0) }
            }
            #expect(more == 7)
        }
    }

    @Test func `no network uses a mailbox's whole quota, and resets leave registrations theirs`() async throws {
        try await withGuessLimits { fixture async throws in
            startDay(fixture)
            var mails = 0
            for _ in 0..<12 {
                mails += try await self.mails(5, fixture) { "198.51.100.\($0)" }
                fixture.clock.advance(seconds: 3_600 - fixture.clock.seconds % 3_600)
            }
            #expect(mails == 5)
            #expect(try await self.mails(4, fixture) { GuessFixture.network($0) } == 3)
            #expect(try await self.mails(6, fixture, .registration) { GuessFixture.network($0) } == 3)
        }
    }

    @Test func `a used up quota is silent, for each address and client alike; the network alone is told to wait`()
        async throws
    {
        var policy = PasswordPolicy()
        policy.mails.perNetwork = RateLimit(max: 20, windowSeconds: 3_600)
        try await withGuessLimits(policy) { fixture async throws in
            startDay(fixture)
            try await fixture.right(fixture.guess(from: Self.home))
            _ = try await mails(9, fixture) { GuessFixture.network($0) }
            for client in ["198.51.100.7", Self.home] {
                for address in ["ann@example.com", "nobody@example.com"] {
                    for _ in 0..<10 {
                        let verdict = try await fixture.limits.admit(fixture.mail(address, from: client))
                        if case .limited = verdict { Issue.record("\(address) from \(client)") }
                    }
                }
                for address in ["ann@example.com", "nobody@example.com"] {
                    guard case .limited(let wait) = try await fixture.limits.admit(fixture.mail(address, from: client))
                    else {
                        Issue.record("\(address) from \(client)")
                        continue
                    }
                    #expect((1...3_600).contains(wait))
                }
            }
        }
    }

    @Test func `strangers leave recognised clients a part of the deployment's mails`() async throws {
        var policy = PasswordPolicy()
        policy.mails.inTotal = RateLimit(max: 50, windowSeconds: 3_600)
        try await withGuessLimits(policy) { fixture async throws in
            startDay(fixture)
            for number in 0..<15 {
                try await fixture.right(fixture.guess("user\(number)@example.com", from: Self.home))
            }
            var mails = 0
            for number in 0..<100 where try await fixture.mails("a\(number)@x.io", from: GuessFixture.network(number)) {
                mails += 1
            }
            #expect(mails == 40)
            for number in 0..<15 where try await fixture.mails("user\(number)@example.com", from: Self.home) {
                mails += 1
            }
            #expect(mails == 50)
        }
    }

    @Test func `a network asks for three hundred mails an hour, whatever the addresses`() async throws {
        try await withGuessLimits { fixture async throws in
            startDay(fixture)
            var mails = 0
            for number in 0..<320 {
                if try await fixture.mails("user\(number)@example.com", from: "198.51.100.\(number % 250)") {
                    mails += 1
                }
            }
            #expect(mails == 300)
            #expect(try await fixture.mails("user999@example.com", from: "198.51.101.1"))
        }
    }

    @Test func `both of Google's domains are one mailbox`() async throws {
        try await withGuessLimits { fixture async throws in
            startDay(fixture)
            var mails = 0
            for number in 0..<20 {
                let address = "a.n.n+\(number)@\(number % 2 == 0 ? "gmail.com" : "googlemail.com")"
                if try await fixture.mails(address, from: GuessFixture.network(number)) { mails += 1 }
            }
            #expect(mails == 3)
        }
    }
}

import Policies
import RedisClient
import TestSupport
import Testing

@testable import UserCore

/// How often a password may be tried, and who cannot be kept from it.
@Suite(.timeLimit(.minutes(5))) struct GuessLimitsTests {
    @Test func `after ten from one network each further one waits, twice as long as the one before`() async throws {
        try await withGuessLimits { fixture async throws in
            #expect(try await fixture.admitted(10) { _ in fixture.guess() } == 10)
            for wait: Int64 in [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
                #expect(try await fixture.limits.admit(fixture.guess()) == .limited(retryAfterSeconds: wait))
                // Another address of the same network does not help, and to be refused prolongs nothing.
                fixture.clock.advance(seconds: wait - 1)
                let neighbour = fixture.guess(from: "198.51.100.200")
                #expect(try await fixture.limits.admit(neighbour) == .limited(retryAfterSeconds: 1))
                fixture.clock.advance(seconds: 1)
                #expect(try await fixture.limits.admit(fixture.guess()) == .admitted)
            }
            // Another network, and another account, have nothing to do with it.
            #expect(try await fixture.limits.admit(fixture.guess(from: "203.0.113.1")) == .admitted)
            #expect(try await fixture.limits.admit(fixture.guess("bob@example.com")) == .admitted)
            fixture.clock.advance(seconds: 3_600 + 900)
            #expect(try await fixture.admitted(11) { _ in fixture.guess() } == 10)
        }
    }

    @Test func `fewer than ten are forgotten after a quarter of an hour`() async throws {
        try await withGuessLimits { fixture async throws in
            #expect(try await fixture.admitted(9) { _ in fixture.guess() } == 9)
            fixture.clock.advance(seconds: 900)
            #expect(try await fixture.admitted(11) { _ in fixture.guess() } == 10)
        }
    }

    @Test func `a right one gives its count back, and what was wrong before stays counted`() async throws {
        try await withGuessLimits { fixture async throws in
            for _ in 0..<30 { try await fixture.right(fixture.guess()) }
            #expect(try await fixture.admitted(9) { _ in fixture.guess() } == 9)
            for _ in 0..<30 { try await fixture.right(fixture.guess()) }
            #expect(try await fixture.admitted(5) { _ in fixture.guess() } == 1)
        }
    }

    @Test func `one that was not compared gives its count back, and makes no network known`() async throws {
        try await withGuessLimits { fixture async throws in
            for number in 0..<150 {
                let guess = fixture.guess(from: GuessFixture.network(number % 3))
                #expect(try await fixture.limits.admit(guess) == .admitted)
                try await fixture.limits.giveBack(guess, knowsNetwork: false)
            }
            #expect(try await fixture.admitted(120) { fixture.guess(from: GuessFixture.network($0)) } == 100)
            #expect(try await fixture.limits.admit(fixture.guess(from: GuessFixture.network(0))) != .admitted)
        }
    }

    /// other clients cannot lock the owner out.
    @Test func `strangers have a hundred a day, all together; the owner's networks and tokens are not among them`()
        async throws
    {
        try await withGuessLimits { fixture async throws in
            try await fixture.right(fixture.guess(from: "192.0.2.1"))
            #expect(try await fixture.admitted(300) { fixture.guess(from: GuessFixture.network($0)) } == 100)
            let stranger = try await fixture.limits.admit(fixture.guess(from: "198.51.100.7"))
            guard case .limited(let wait) = stranger else {
                Issue.record("a stranger more")
                return
            }
            #expect((86_300...86_400).contains(wait))
            for _ in 0..<20 { try await fixture.right(fixture.guess(from: "192.0.2.77")) }
            for _ in 0..<20 { try await fixture.right(fixture.guess(from: "198.51.100.7", isBearer: true)) }
            // A right one by a token tells nothing of its network.
            #expect(try await fixture.limits.admit(fixture.guess(from: "198.51.100.7")) != .admitted)
            fixture.clock.advance(seconds: wait)
            #expect(try await fixture.limits.admit(fixture.guess(from: "198.51.100.7")) == .admitted)
        }
    }

    @Test func `whoever has a token of the user's guesses no more than others`() async throws {
        try await withGuessLimits { fixture async throws in
            let guesses = try await fixture.admitted(30) {
                fixture.guess(from: GuessFixture.network($0), isBearer: true)
            }
            #expect(guesses == 10)
        }
    }

    @Test func `the eight networks used last are known, for ninety days`() async throws {
        try await withGuessLimits { fixture async throws in
            for number in 0..<9 {
                try await fixture.right(fixture.guess(from: GuessFixture.network(number)))
                fixture.clock.advance(seconds: 60)
            }
            #expect(try await fixture.admitted(150) { fixture.guess(from: "198.18.\($0).1") } == 100)
            for number in 1..<9 {
                let guess = fixture.guess(from: GuessFixture.network(number))
                #expect(try await fixture.limits.admit(guess) == .admitted, "\(number)")
            }
            #expect(try await fixture.limits.admit(fixture.guess(from: GuessFixture.network(0))) != .admitted)
            fixture.clock.advance(seconds: 91 * 86_400)
            #expect(try await fixture.admitted(150) { fixture.guess(from: "198.18.\($0).1") } == 100)
            #expect(try await fixture.limits.admit(fixture.guess(from: GuessFixture.network(8))) != .admitted)
        }
    }

    @Test func `a reset forgets what was guessed before it, and counts anew`() async throws {
        try await withGuessLimits { fixture async throws in
            #expect(try await fixture.admitted(150) { fixture.guess(from: GuessFixture.network($0 / 10)) } == 100)
            #expect(try await fixture.admitted(11) { _ in fixture.guess(isBearer: true) } == 10)
            try await fixture.limits.clear("ann@example.com", from: nil, now: fixture.clock.seconds)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.admitted(11) { _ in fixture.guess(isBearer: true) } == 10)
            #expect(try await fixture.admitted(20) { _ in fixture.guess(from: GuessFixture.network(0)) } == 10)
            #expect(try await fixture.admitted(150) { fixture.guess(from: GuessFixture.network(20 + $0)) } == 90)
        }
    }

    @Test func `an address has six hundred an hour over all accounts, and so has a customer's block of IPv6`()
        async throws
    {
        try await withGuessLimits { fixture async throws in
            let guess = { @Sendable (number: Int, client: String) in
                fixture.guess("user\(number)@example.com", from: client)
            }
            #expect(try await fixture.admitted(620) { guess($0, "198.51.100.7") } == 600)
            let block = { @Sendable (number: Int) in "2001:db8:1:2:\(String(number, radix: 16))::1" }
            #expect(try await fixture.admitted(620) { guess($0, block($0)) } == 600)
            #expect(try await fixture.limits.admit(guess(1_000, "2001:db8:1:3::1")) == .admitted)
            guard case .limited(let wait) = try await fixture.limits.admit(guess(1_000, "198.51.100.7")) else {
                Issue.record("one more")
                return
            }
            fixture.clock.advance(seconds: wait)
            #expect(try await fixture.limits.admit(guess(1_000, "198.51.100.7")) == .admitted)
        }
    }

    @Test func `of this machine there is no limit by address, where the deployment says so`() async throws {
        var policy = PasswordPolicy()
        policy.attempts.perAddress = RateLimit(max: 3, windowSeconds: 3_600)
        try await withGuessLimits(policy, limitsLocalAddresses: false) { fixture async throws in
            let guess = { @Sendable (number: Int, client: String?) in
                fixture.guess("user\(number)@example.com", from: client)
            }
            #expect(try await fixture.admitted(9) { guess($0, "127.0.0.1") } == 9)
            #expect(try await fixture.admitted(9) { guess($0, nil) } == 9)
            #expect(try await fixture.admitted(9) { guess($0, "198.51.100.7") } == 3)
            #expect(try await fixture.admitted(20) { _ in fixture.guess(from: "127.0.0.1") } == 10)
        }
    }

    @Test func `a reset forgets the networks known before it, and knows its own`() async throws {
        try await withGuessLimits { fixture async throws in
            try await fixture.right(fixture.guess(from: "192.0.2.1"))
            #expect(try await fixture.admitted(150) { fixture.guess(from: GuessFixture.network($0)) } == 100)
            let owner = IPAddress("198.51.100.7")
            try await fixture.limits.clear("ann@example.com", from: owner, now: fixture.clock.seconds)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.admitted(150) { fixture.guess(from: GuessFixture.network($0)) } == 100)
            #expect(try await fixture.limits.admit(fixture.guess(from: "192.0.2.1")) != .admitted)
            #expect(try await fixture.limits.admit(fixture.guess(from: "198.51.100.8")) == .admitted)
        }
    }

    @Test func `a Redis that is nearly full takes no new counter; those that are there go on`() async throws {
        try await withGuessLimits { fixture async throws in
            #expect(try await fixture.limits.admit(fixture.guess()) == .admitted)
            #expect(try await fixture.mails())
            fixture.isFull.set()
            let keys = try await fixture.redis.send(["DBSIZE"]).integerValue
            for number in 0..<20 {
                let stranger = fixture.guess("user\(number)@example.com")
                let failure = await #expect(throws: GuessLimitsFailure.self) {
                    try await fixture.limits.admit(stranger)
                }
                #expect(failure?.retryAfterSeconds == 60)
                await #expect(throws: GuessLimitsFailure.self) {
                    try await fixture.limits.admit(fixture.mail("user\(number)@example.com"))
                }
            }
            #expect(try await fixture.redis.send(["DBSIZE"]).integerValue == keys)
            #expect(try await fixture.admitted(20) { _ in fixture.guess() } == 9)
            fixture.clock.advance(seconds: AccountMailLimits.repeatSeconds)
            #expect(try await fixture.mails())
        }
    }

    @Test func `nothing in Redis names anybody, and all of it goes with time`() async throws {
        try await withGuessLimits { fixture async throws in
            try await fixture.right(fixture.guess())
            _ = try await fixture.admitted(12) { _ in fixture.guess(from: "203.0.113.1") }
            try await fixture.limits.noteWrong(fixture.guess(), about: nil)
            _ = try await fixture.mails()
            let keys = try await fixture.redis.send(["KEYS", "*"]).arrayValue?.compactMap(\.text) ?? []
            #expect(keys.count >= 6 && keys.allSatisfy { $0.hasPrefix("login:1:") })
            #expect(keys.contains(GuessTags.auditKey) && keys.contains(GuessTags.refusalsKey))
            for key in keys where key != GuessTags.auditKey && key != GuessTags.refusalsKey {
                let life = try await fixture.redis.send(["TTL", .text(key)]).integerValue ?? -1
                #expect((1...91 * 86_400).contains(life), "\(key)")
                let held = key + (try await fixture.redis.send(["GET", .text(key)]).text ?? "")
                for name in ["ann", "example", "198.51", "203.0"] { #expect(!held.contains(name), "\(key)") }
            }
        }
    }

    @Test func `without Redis nothing is admitted`() async throws {
        try await withGuessLimits { fixture async throws in
            try await fixture.server.kill()
            await #expect(throws: GuessLimitsFailure.self) { try await fixture.limits.admit(fixture.guess()) }
            await #expect(throws: GuessLimitsFailure.self) { try await fixture.mails() }
        }
    }
}

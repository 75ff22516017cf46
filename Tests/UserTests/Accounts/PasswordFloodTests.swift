import Policies
import RedisClient
import TestSupport
import Testing

@testable import UserCore

/// A thousand guesses at once, and the control that shows that the test can fail.
@Suite(.timeLimit(.minutes(5))) struct PasswordFloodTests {
    private static let guesses = 1_000

    /// How many of many guesses at once, over so many networks, are admitted.
    private func admitted(
        _ fixture: GuessFixture, networks: Int,
        _ admit: @escaping @Sendable (PasswordGuess) async throws -> LimitVerdict
    ) async throws -> Int {
        let verdicts = try await concurrently(Self.guesses) { number in
            try await admit(fixture.guess(from: GuessFixture.network(number % networks)))
        }
        return verdicts.filter { $0 == .admitted }.count
    }

    @Test(arguments: [(1, 10), (5, 50), (10, 100), (200, 100)])
    func `no more are admitted than allowed, from one network and from many`(
        networks: Int, allowed: Int
    ) async throws {
        try await withGuessLimits { fixture async throws in
            let count = try await admitted(fixture, networks: networks) { try await fixture.limits.admit($0) }
            #expect(count == allowed)
        }
    }

    @Test func `right ones among them admit no more wrong ones`() async throws {
        try await withGuessLimits { fixture async throws in
            let wrong = try await concurrently(Self.guesses) { number in
                let guess = fixture.guess(from: GuessFixture.network(0))
                guard try await fixture.limits.admit(guess) == .admitted else { return 0 }
                guard number.isMultiple(of: 50) else { return 1 }
                try await fixture.limits.giveBack(guess, knowsNetwork: true)
                return 0
            }
            let (many, few) = (wrong.reduce(0, +), { fixture.guess(from: GuessFixture.network(0)) })
            #expect(many <= 10)
            // What right ones have given back is the next wrong one's, and no more than that.
            #expect(try await fixture.admitted(20) { _ in few() } == 10 - many)
        }
    }

    @Test func `control: who looks at the count, hashes and then counts lets all in that look before one counts`()
        async throws
    {
        try await withGuessLimits { fixture async throws in
            let count = try await admitted(fixture, networks: 1) { [redis = fixture.redis] _ in
                guard try await redis.send(["GET", "tries"]).integerValue ?? 0 < 10 else {
                    return .limited(retryAfterSeconds: 30)
                }
                // As long as a hash takes.
                try await Task.sleep(for: .milliseconds(20))
                _ = try await redis.send(["INCR", "tries"])
                return .admitted
            }
            #expect(count > 10)
        }
    }
}

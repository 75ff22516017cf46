import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import UserCore

/// Guesses at invented addresses, each of which wants a counter, until Redis is nearly full.
@Suite(.timeLimit(.minutes(10))) struct GuessFullRedisTests {
    private static let megabytes: Int64 = 6
    private static let lanes = 16
    /// More than fit.
    private static let guessesMax = 100_000

    @Test func `a flood of invented addresses leaves room for revocations, and known accounts their guesses`()
        async throws
    {
        try await withRedis(functions: [GuessFunctions.library.source(loadedAt: 0)]) { server, redis in
            _ = try await redis.send(["CONFIG", "SET", "maxmemory", "\(Self.megabytes)mb"])
            let memory = RedisMemoryWatch(redis: redis)
            let fixture = try GuessFixture(server, redis, PasswordPolicy(), limitsLocalAddresses: true)
            _ = try await fixture.limits.admit(fixture.guess("owner@example.com"))
            let refused = try await flood(fixture, memory)
            #expect(refused)
            #expect(try await usedMemory(redis) < Self.megabytes * 1_024 * 1_024)
            // Who has a counter already needs no room.
            #expect(try await fixture.limits.admit(fixture.guess("owner@example.com")) == .admitted)
            for number in 0..<1_000 {
                let key = RedisArgument(RevocationFeed.session("s\(number)"))
                #expect(try await redis.send(["SET", key, "logout", "EX", 3_600]).text == "OK")
            }
        }
    }

    /// Guesses until one is refused for want of room; what is nearly full is looked at as in a running process.
    private func flood(_ fixture: GuessFixture, _ memory: RedisMemoryWatch) async throws -> Bool {
        for start in stride(from: 0, to: Self.guessesMax, by: 1_000) {
            await memory.look()
            if memory.isNearlyFull { fixture.isFull.set() }
            let admitted = try await concurrently(Self.lanes) { lane in
                for number in stride(from: start + lane, to: start + 1_000, by: Self.lanes) {
                    let guess = fixture.guess(
                        "nobody\(number)@example.com", from: GuessFixture.network(number % 20_000))
                    do throws(GuessLimitsFailure) { _ = try await fixture.limits.admit(guess) } catch {
                        #expect(error.retryAfterSeconds == 60)
                        return false
                    }
                }
                return true
            }
            if admitted.contains(false) { return true }
        }
        return false
    }

    private func usedMemory(_ redis: RedisClient) async throws -> Int64 {
        let info = try await redis.send(["INFO", "memory"]).text ?? ""
        let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("used_memory:") } ?? ""
        return try #require(Int64(line.dropFirst("used_memory:".count)))
    }
}

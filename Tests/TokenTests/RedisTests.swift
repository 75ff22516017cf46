import InternalAPI
import Logging
import Policies
import RedisClient
import Synchronization
import TestSupport
import Testing

@testable import TokenCore

/// The scripts against a real Redis.
@Suite(.timeLimit(.minutes(5))) struct RedisTests {
    private func withFeed(
        _ body: @Sendable (RedisServer, RedisClient, RedisRevocationFeed) async throws -> Void
    ) async throws {
        try await withRedis(functions: [TokenFunctions.library.source(loadedAt: 0)]) { server, redis in
            _ = try await redis.send(["PING"])
            try await body(server, redis, RedisRevocationFeed(redis: redis, milliseconds: { 5 }))
        }
    }

    private func revocation(until: Int64) -> Revocation {
        Revocation(sessionID: SessionID.new(at: 0), reason: .logout, accessExpiresAt: until)
    }

    @Test func `a revocation stands under its key with a lifetime and in the stream`() async throws {
        try await withFeed { _, redis, feed in
            let (live, expired) = (revocation(until: 1_100), revocation(until: 800))
            try await feed.publish([live, expired], now: 1_000)
            let key = RedisArgument(RevocationFeed.session(live.sessionID.text))
            #expect(try await redis.send(["GET", key]).text == "logout")
            let lifetime = try #require(try await redis.send(["TTL", key]).integerValue)
            #expect((215...220).contains(lifetime))
            // The key, the index and the stream.
            #expect(try await redis.send(["DBSIZE"]).integerValue == 3)
            #expect(try await indexed(redis) == [RevocationFeed.session(live.sessionID.text), "1220"])
            // With the next one the index lets go of what has ended.
            try await feed.publish([revocation(until: 1_300)], now: 1_220)
            #expect(try await !indexed(redis).contains(RevocationFeed.session(live.sessionID.text)))
            let entries = try await redis.send(["XRANGE", RedisArgument(RevocationFeed.log), "-", "+"]).arrayValue
            let fields = entries?.first?.arrayValue?.last?.arrayValue?.compactMap(\.text)
            #expect(fields == ["kind", "sid", "id", live.sessionID.text, "reason", "logout", "until", "1220"])
        }
    }

    private func indexed(_ redis: RedisClient) async throws -> [String] {
        try await redis.send(["ZRANGE", RedisArgument(RevocationFeed.index), 0, -1, "WITHSCORES"])
            .arrayValue?.compactMap(\.text) ?? []
    }

    @Test func `a list that the version before has completed is rebuilt`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        try await replica.logout(refresh: tokens.refreshToken)
        try await withFeed { _, redis, feed in
            let info = try await redis.send(RedisRun.command).text ?? ""
            let runID = try #require(RedisRun.find(in: info))
            let key = RevocationFeed.session(tokens.sessionID)
            for command: [RedisArgument] in [
                ["SET", .text(key), "logout", "EX", 1_000],
                ["XADD", RedisArgument(RevocationFeed.log), "*", "kind", "mark"],
                [
                    "SET", RedisArgument(RevocationFeed.generation),
                    .text("2:1767225600000:\(runID.prefix { $0 != "." })"),
                ],
            ] { _ = try await redis.send(command) }
            #expect(try await !feed.isComplete())
            let publisher = RevocationPublisher(
                store: replica.storage.revocations, keys: replica.keys.store, feed: feed,
                now: { [clock = fixture.clock] in clock.now }, logger: Logger(label: "test"))
            try await publisher.catchUp()
            #expect(try await feed.isComplete())
            #expect(try await indexed(redis).first == key)
        }
    }

    @Test func `the list is incomplete at first, after a flush, after a restart, and complete once rebuilt`()
        async throws
    {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        try await replica.logout(refresh: tokens.refreshToken)
        try await withFeed { server, redis, feed async throws in
            let publisher = RevocationPublisher(
                store: replica.storage.revocations, keys: replica.keys.store, feed: feed,
                now: { [clock = fixture.clock] in clock.now },
                logger: Logger(label: "test"))
            let key = RedisArgument(RevocationFeed.session(tokens.sessionID))
            func check() async throws {
                #expect(try await !feed.isComplete())
                try await publisher.catchUp()
                #expect(try await feed.isComplete())
                #expect(try await redis.send(["GET", key]).text == "logout")
            }
            try await check()
            _ = try await redis.send(["FLUSHALL"])
            try await check()
            let mark = try await redis.send(["GET", RedisArgument(RevocationFeed.generation)]).text
            #expect(mark?.hasPrefix("3:5:") == true)
            try await server.restart()
            try await eventually("the client is connected again") { redis.isConnected }
            try await check()
        }
    }

    @Test func `an empty stream makes the list incomplete, for gaps in it could not be seen`() async throws {
        try await withFeed { _, redis, feed in
            #expect(try await feed.finishRebuild(try await feed.beginRebuild()))
            #expect(try await feed.isComplete())
            _ = try await redis.send(["DEL", RedisArgument(RevocationFeed.log)])
            #expect(try await !feed.isComplete())
        }
    }

    @Test func `a floor stands under its key and in the stream, and is never lowered`() async throws {
        try await withFeed { _, redis, feed in
            let session = SessionID.new(at: 0)
            for version in [4, 7, 5] as [Int64] {
                let floor = VersionFloor(sessionID: session, version: version, accessExpiresAt: 1_100)
                try await feed.publish([floor], now: 1_000)
            }
            #expect(try await redis.send(["GET", RedisArgument(RevocationFeed.version(session.text))]).text == "7")
            let entries = try await redis.send(["XRANGE", RedisArgument(RevocationFeed.log), "-", "+"]).arrayValue
            let fields = entries?.last?.arrayValue?.last?.arrayValue?.compactMap(\.text)
            #expect(fields == ["kind", "ver", "id", session.text, "ver", "7", "until", "1220"])
        }
    }

    @Test func `a rebuild that was overtaken sets no mark`() async throws {
        try await withFeed { _, redis, feed in
            let first = try await feed.beginRebuild()
            let second = try await feed.beginRebuild()
            #expect(try await !feed.finishRebuild(first))
            #expect(try await !feed.isComplete())
            #expect(try await feed.finishRebuild(second))
            #expect(try await feed.isComplete())
            let third = try await feed.beginRebuild()
            #expect(third.mark.hasPrefix("3:6:"))
            _ = try await redis.send(["FLUSHALL"])
            #expect(try await !feed.finishRebuild(third))
        }
    }

    @Test func `the refresh limit lets its number through and says when the next one fits`() async throws {
        try await withFeed { server, redis, _ in
            let limiter = RedisRefreshLimit(
                redis: redis, memory: RedisMemoryWatch(redis: redis), local: LocalRefreshLimit())
            let limit = RateLimit(max: 10, windowSeconds: 60)
            func count(_ user: String) async -> [Int64?] {
                var waits: [Int64?] = []
                for _ in 0..<12 {
                    waits.append(await limiter.retryAfterSeconds(userID: user, limit: limit, now: 1_000))
                }
                return waits
            }
            let waits = await count("usr_1")
            #expect(waits.prefix(10).allSatisfy { $0 == nil })
            #expect(waits.suffix(2).allSatisfy { ($0 ?? 0) >= 55 && ($0 ?? 0) <= 60 })
            #expect(await limiter.retryAfterSeconds(userID: "usr_2", limit: limit, now: 1_000) == nil)
            try await server.kill()
            // Counted here, from the start: availability before exactness.
            let local = await count("usr_1")
            #expect(local.prefix(10).allSatisfy { $0 == nil })
            #expect(local.suffix(2).allSatisfy { $0 == 60 })
        }
    }

    @Test func `a list is not published without the functions, and is once they are there again`() async throws {
        try await withFeed { server, redis, feed async throws in
            _ = try await redis.send(["FUNCTION", "FLUSH"])
            #expect(await !redis.has(TokenFunctions.library))
            let error = await #expect(throws: RedisError.self) {
                try await feed.publish([revocation(until: 10_000)], now: 1_000)
            }
            #expect(error?.isFunctionMissing == true)
            try await server.load(TokenFunctions.library.source(loadedAt: 0))
            #expect(await redis.has(TokenFunctions.library))
            try await feed.publish([revocation(until: 10_000)], now: 1_000)
            #expect(try await redis.send(["XLEN", RedisArgument(RevocationFeed.log)]).integerValue == 1)
        }
    }
}

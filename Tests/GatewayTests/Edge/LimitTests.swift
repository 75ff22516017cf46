import Logging
import Policies
import RedisClient
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Issues an allowance without Redis; `nil` as its size means that it is unknown.
private final class FixedAllowance: AllowanceSource {
    private let left: Mutex<Int?>
    private let calls = Atomic<Int>(0)

    init(_ count: Int?) { left = Mutex(count) }

    var callCount: Int { calls.load(ordering: .relaxed) }

    func take(_ count: Int, of key: AllowanceKey, now: Int64) async -> Int? {
        calls.add(1, ordering: .relaxed)
        return left.withLock { left in
            guard let rest = left else { return nil }
            let granted = min(count, rest)
            left = rest - granted
            return granted
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct LimitTests {
    private static func key(
        max: Int = 100, windowSeconds: Int64 = 60, subject: String = "a", now: Int64 = 600
    )
        -> AllowanceKey
    {
        AllowanceKey(
            limit: "/api/**", subject: subject, rate: RateLimit(max: max, windowSeconds: windowSeconds), now: now)
    }

    /// How many of `count` requests pass.
    private static func passed(
        _ count: Int, _ limiter: EdgeLimiter, _ key: AllowanceKey, _ counting: EdgeLimiter.Counting
    ) async -> Int {
        var passed = 0
        for _ in 0..<count {
            var judgement = limiter.judge(key, now: 600)
            if judgement == nil { judgement = await limiter.ask(key, counting, now: 600) }
            if judgement == .granted { passed += 1 }
        }
        return passed
    }

    @Test func `asking whether something is left counts nothing`() async {
        for allowance in [FixedAllowance(3), FixedAllowance(nil)] {
            let limiter = EdgeLimiter(source: allowance)
            for _ in 0..<50 { #expect(limiter.refusal(of: Self.key(max: 3), now: 600) == nil) }
            #expect(await Self.passed(4, limiter, Self.key(max: 3), .exact) == 3)
            #expect(limiter.refusal(of: Self.key(max: 3), now: 600) == 60)
        }
    }

    @Test func `a leased limit lets exactly its number through and asks seldom`() async {
        let source = FixedAllowance(100)
        #expect(await Self.passed(300, EdgeLimiter(source: source), Self.key(), .leased) == 100)
        // 20 pieces of 5, and once in vain.
        #expect(source.callCount == 21)
    }

    @Test func `an exact limit asks for each request, until nothing is left`() async {
        let source = FixedAllowance(7)
        #expect(await Self.passed(30, EdgeLimiter(source: source), Self.key(max: 7), .exact) == 7)
        #expect(source.callCount == 8)
    }

    @Test func `without anybody to ask each process counts for itself`() async {
        let limiter = EdgeLimiter(source: FixedAllowance(nil))
        #expect(await Self.passed(300, limiter, Self.key(), .leased) == 100)
        #expect(await Self.passed(300, limiter, Self.key(subject: "b"), .exact) == 100)
    }

    @Test func `a refusal says when the window ends, and then requests pass again`() async {
        let limiter = EdgeLimiter(source: FixedAllowance(0))
        let key = Self.key(now: 659)
        #expect(await limiter.ask(key, .exact, now: 659) == .refused(seconds: 1))
        #expect(limiter.judge(key, now: 659) == .refused(seconds: 1))
        #expect(limiter.judge(Self.key(now: 660), now: 660) == nil)
        #expect(Self.key(now: 600).secondsLeft(now: 600) == 60)
    }

    @Test func `windows that have ended are forgotten`() {
        let table = LeaseTable()
        let key = Self.key(now: 600)
        table.add(3, to: key)
        table.sweep(now: 659)
        #expect(table.take(key) == .granted)
        table.sweep(now: 660)
        #expect(table.take(key) == .unknown)
    }

    @Test func `callers beyond the bound make the table forget, not grow`() {
        let table = LeaseTable()
        for number in 0...LeaseTable.callersMax { table.add(2, to: Self.key(subject: "\(number)")) }
        #expect(table.take(Self.key(subject: "0")) == .unknown)
        #expect(table.take(Self.key(subject: "\(LeaseTable.callersMax)")) == .granted)
    }

    @Test func `Redis keys name nobody`() {
        let key = AllowanceKey(
            limit: "auth", subject: "203.0.113.7/32", rate: RateLimit(max: 1, windowSeconds: 60), now: 600)
        #expect(key.redisKey.hasPrefix("rl:edge:"))
        #expect(!key.redisKey.contains("203.0.113.7"))
        #expect(key.redisKey != Self.key().redisKey)
    }

    private static func network(_ number: Int, max: Int) throws -> AllowanceKey {
        let address = try #require(IPAddress("2001:db8:0:1\(number)::1"))
        return try #require(
            AllowanceKey(
                limit: "auth", address: address, rate: RateLimit(max: max, windowSeconds: 60), now: 600))
    }

    @Test func `many networks of one /56 have four times the limit of one, with Redis and without`() async throws {
        func passedInAll(_ source: some AllowanceSource) async throws -> Int {
            let limiter = EdgeLimiter(source: source)
            var passed = 0
            for number in 10..<30 { passed += await Self.passed(3, limiter, try Self.network(number, max: 5), .exact) }
            return passed
        }
        #expect(try await passedInAll(FixedAllowance(nil)) == 20)
        try await withRedis(functions: [GatewayFunctions.library.source(loadedAt: 0)]) { _, redis in
            _ = try await redis.send(["PING"])
            let source = RedisAllowance(redis: redis, memory: RedisMemoryWatch(redis: redis))
            let passed = try await passedInAll(source)
            #expect(passed == 20)
        }
    }

    @Test func `two gateways together never let more through than the limit`() async throws {
        try await withRedis(functions: [GatewayFunctions.library.source(loadedAt: 0)]) { _, redis in
            _ = try await redis.send(["PING"])
            let source = RedisAllowance(redis: redis, memory: RedisMemoryWatch(redis: redis))
            let passed = await withTaskGroup(of: Int.self, returning: Int.self) { gateways in
                for counting in [EdgeLimiter.Counting.leased, .exact] {
                    let limiter = EdgeLimiter(source: source)
                    for _ in 0..<8 {
                        gateways.addTask { await Self.passed(40, limiter, Self.key(), counting) }
                    }
                }
                return await gateways.reduce(0, +)
            }
            // The rest that one gateway has at the end, at most a piece for each concurrent request, cannot be used by
            // the others.
            #expect((60...100).contains(passed))
            let lifetime = try await redis.send(["TTL", RedisArgument(Self.key().redisKey)]).integerValue
            #expect((1...60).contains(lifetime ?? 0))
        }
    }

    @Test func `only callers to whom limits by address apply have a count`() {
        func limits(local: Bool) -> EdgeLimits {
            EdgeLimits(
                limiter: EdgeLimiter(source: FixedAllowance(1)), auth: RateLimit(max: 5, windowSeconds: 60),
                limitsLocalAddresses: local)
        }
        #expect(limits(local: false).auth(address: "127.0.0.1") == nil)
        #expect(limits(local: true).auth(address: "127.0.0.1") != nil)
        let one = limits(local: false).auth(address: "2001:db8::1:2")
        #expect(one?.subject == "2001:db8::/64" && one?.wider.map(\.rate.max) == [20, 80])
        #expect(limits(local: false).auth(address: "203.0.113.7")?.wider.isEmpty == true)
        #expect(limits(local: false).auth(address: "nonsense") == nil)
    }
}

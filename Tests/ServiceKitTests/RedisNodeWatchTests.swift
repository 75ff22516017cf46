import RedisClient
import Testing

@testable import ServiceKit

@Suite struct RedisNodeWatchTests {
    private static func node(_ host: String, _ memory: Result<RedisNode.Memory, RedisError>) -> RedisNode {
        RedisNode(address: .tcp(host: host, port: 6_379), memory: memory)
    }

    private static let usual = RedisNode.Memory(max: 1_000, policy: "noeviction")

    @Test func `nodes that are alike have no problem`() {
        #expect(RedisNodeWatch.judged([]).isEmpty)
        #expect(
            RedisNodeWatch.judged([Self.node("a", .success(Self.usual)), Self.node("b", .success(Self.usual))]).isEmpty)
    }

    @Test func `a refused account is a fault, and a node that is away is not`() {
        let lines = RedisNodeWatch.judged([
            Self.node("a", .success(Self.usual)),
            Self.node("b", .failure(RedisError(.authenticationFailed, "WRONGPASS"))),
            Self.node("c", .failure(RedisError(.notConnected, "refused"))),
            Self.node("d", .failure(RedisError(.reply, "NOPERM"))),
        ])
        #expect(lines.map(\.isFault) == [true, false, true])
        #expect(lines[0].text == "redis://b:6379 refuses this account: WRONGPASS")
        #expect(lines[1].text == "redis://c:6379 is away: refused")
    }

    @Test func `settings of memory that differ are a fault each`() {
        let lines = RedisNodeWatch.judged([
            Self.node("a", .success(Self.usual)),
            Self.node("b", .success(RedisNode.Memory(max: 0, policy: "allkeys-lru"))),
        ])
        #expect(
            lines.map(\.text) == [
                "maxmemory differs: 1000 at redis://a:6379, 0 at redis://b:6379. Set the same on all",
                "maxmemory-policy differs: noeviction at redis://a:6379, allkeys-lru at redis://b:6379. Set the same on all",
            ])
        #expect(lines.map(\.isFault) == [true, true])
    }

    @Test func `a line that repeats is logged once in ten seconds`() {
        let (limit, start) = (LogLimit(), ContinuousClock.now)
        #expect(limit.allows("a", now: start))
        #expect(!limit.allows("a", now: start + .seconds(9)))
        #expect(limit.allows("b", now: start + .seconds(9)))
        #expect(limit.allows("a", now: start + .seconds(10)))
        #expect(!limit.allows("b", now: start + .seconds(10)))
    }
}

import Testing

@testable import ServiceKit

@Suite struct RedisEvictionTests {
    @Test func `every policy but noeviction is a problem that names it`() {
        #expect(RedisEviction.problem(info: "used_memory:1\r\nmaxmemory_policy:noeviction\r\n") == nil)
        #expect(RedisEviction.problem(info: "used_memory:1\r\n") == nil)
        for policy in ["allkeys-lru", "volatile-ttl", "allkeys-random"] {
            #expect(RedisEviction.problem(info: "maxmemory_policy:\(policy)\r\n")?.contains(policy) == true)
        }
    }
}

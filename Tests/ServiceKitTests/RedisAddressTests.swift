import Configuration
import RedisClient
import Testing

@testable import ServiceKit

@Suite struct RedisAddressTests {
    @Test(arguments: [
        ("redis://redis:6379", RedisAddress.tcp(host: "redis", port: 6_379)),
        ("redis://[::1]:1", .tcp(host: "::1", port: 1)),
        ("unix:///run/redis.sock", .unix(path: "/run/redis.sock")),
        ("unix:///" + String(repeating: "a", count: 102), .unix(path: "/" + String(repeating: "a", count: 102))),
    ])
    func `an address is read, and written as it was`(url: String, address: RedisAddress) {
        #expect(RedisAddress(url: url) == address)
        #expect("\(address)" == url)
    }

    @Test(arguments: [
        "", "redis", "redis://", "redis://redis", "redis://user:secret@redis:6379/0", "rediss://redis:6379", "unix://",
        "unix:///", "unix://run/redis.sock", "unix:///" + String(repeating: "a", count: 103),
    ])
    func `what is no address is refused`(url: String) {
        #expect(RedisAddress(url: url) == nil)
    }

    @Test func `the host internal stands for the network of Redis, and no other host does`() throws {
        #expect(ListenAddress(parsing: "internal:9090")?.isInternal == true)
        #expect(ListenAddress(parsing: "0.0.0.0:9090")?.isInternal == false)
        let reader = ConfigReader(
            provider: EnvironmentVariablesProvider(environmentVariables: [
                "REDIS_URL": "redis://redis:6380", "LATCHKEY_OPS_LISTEN": "internal:9090",
            ]))
        let settings = try ProcessSettings(name: "gateway", defaultPort: 8080, reader: reader)
        #expect(settings.operationsListen.isInternal)
        #expect(settings.redisPeer == ListenAddress(host: "redis", port: 6380))
    }
}

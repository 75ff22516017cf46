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
        #expect(RedisURL(url)?.target == .server(address))
        #expect("\(address)" == url)
    }

    @Test(arguments: [
        "", "redis", "redis://", "redis://redis", "redis://user:secret@redis:6379/0", "redis://a:1,b:2", "redis://a:0",
        "unix://",
        "unix:///", "unix://run/redis.sock", "unix:///" + String(repeating: "a", count: 103), "redis+sentinel://a:1",
        "redis+sentinel://a:1/", "redis+sentinel:///m", "redis+sentinel://a:1,/m", "redis+sentinel://a:1,a:1/m",
        "redis+sentinel://a/m", "redis+sentinel://a:1/m/n", "redis+sentinel://u:p@a:1/m", "redis+sentinel://a:1/m m",
        "redis+cluster://a:1", "REDIS://a:1", "redis+sentinel://a:1/" + String(repeating: "m", count: 65),
        "redis+sentinel://" + (1...16).map { "a:\($0)" }.joined(separator: ",") + "/m",
    ])
    func `what is no address is refused`(url: String) {
        #expect(RedisURL(url) == nil)
    }

    @Test func `Sentinels are read with the name of their master, and TLS from the scheme`() {
        let url = RedisURL("redis+sentinel://a:26379,[::1]:26380,10.0.0.1:1/my-master.1")
        #expect(
            url?.target
                == .sentinels(
                    [.tcp(host: "a", port: 26_379), .tcp(host: "::1", port: 26_380), .tcp(host: "10.0.0.1", port: 1)],
                    name: "my-master.1"))
        #expect(url?.isTLS == false)
        #expect(RedisURL("rediss+sentinel://a:1/m")?.isTLS == true)
        #expect(RedisURL("rediss://a:1")?.isTLS == true)
        #expect(RedisURL("unix:///rediss")?.isTLS == false)
    }

    @Test func `the host internal stands for the network of Redis, and no other host does`() throws {
        #expect(ListenAddress(parsing: "internal:9090")?.isInternal == true)
        #expect(ListenAddress(parsing: "0.0.0.0:9090")?.isInternal == false)
        let reader = ConfigReader(
            provider: EnvironmentVariablesProvider(environmentVariables: [
                "REDIS_URL": "redis://redis:6380", "LATCHKEY_OPS_LISTEN": "internal:9090",
            ]))
        let settings = try ProcessSettings(name: "gateway", defaultPort: 8080, reader: reader)
        #expect(settings.operationsListen.map(\.isInternal) == [true])
        #expect(settings.redisPeers == [ListenAddress(host: "redis", port: 6380)])
    }
}

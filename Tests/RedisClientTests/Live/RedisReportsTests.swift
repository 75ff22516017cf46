import RedisClient
import TestSupport
import Testing

/// Failures with Sentinel that people have reported of other clients.
@Suite(.timeLimit(.minutes(5))) struct RedisReportsTests {
    private func master(of sentinels: [RedisServer], user: String? = nil) -> RedisMaster {
        RedisMaster(
            name: RedisGroup.name,
            sentinels: sentinels.map {
                RedisConfiguration(
                    .unchecked(.tcp(host: "127.0.0.1", port: $0.port)), username: user, password: user
                ).patient
            })
    }

    /// https://github.com/redis/redis-py/issues/435: the old master lives on as a replica, and its connections stay open.
    @Test func `a failover by hand loses no write that comes after it`() async throws {
        try await RedisGroup.with { group in
            try await withRedisClient(RedisConfiguration(.sentinels(master(of: group.sentinels)))) { client in
                try await eventually("the first master") { client.isConnected }
                try await group.sentinels[0].command(["SENTINEL", "FAILOVER", RedisGroup.name])
                try await eventually("the servers have other roles") {
                    // Refused writes are errors, never taken for done.
                    _ = await failure { try await client.send(["SET", "a", "1"]) }
                    // A server whose role changes closes its connections.
                    let roles = (
                        try? await group.first.command(["ROLE"]), try? await group.second.command(["ROLE"])
                    )
                    return roles.0?.hasPrefix("slave") == true && roles.1?.hasPrefix("master") == true
                }
                for number in 0..<100 {
                    // On a machine with other work a connection may be late.
                    try await eventually("it is written") {
                        await failure { try await client.send(["SET", "b", "\(number)"]) } == nil
                    }
                }
                #expect(try await group.second.command(["GET", "b"]).hasPrefix("99"))
            }
        }
    }

    /// https://github.com/bitnami/containers/issues/46594: Sentinels announce an address of the containers' network.
    @Test func `an announced address that cannot be reached is named`() async throws {
        let closed = try await FreePort.find()
        let sentinel = try await RedisServer.start(
            configuration: ["sentinel monitor \(RedisGroup.name) 127.0.0.1 \(closed) 1"], isSentinel: true)
        try await withRedisClient(RedisConfiguration(.sentinels(master(of: [sentinel])))) { client in
            try await eventually("the address is named") {
                let problem = client.problem ?? ""
                return problem.hasPrefix("the Sentinels name redis://127.0.0.1:\(closed): ") && !problem.hasSuffix(": ")
            }
        }
        try await sentinel.stop()
    }

    /// https://github.com/redis/redis/issues/7708: Sentinels with accounts of their own.
    @Test func `an account with the documented rights is enough, and one without them is named`() async throws {
        try await withRedisServer { server in
            let rights =
                "-@all +ping +sentinel|get-master-addr-by-name +sentinel|myid +sentinel|replicas +sentinel|sentinels"
            let sentinel = try await RedisServer.start(
                configuration: ["sentinel monitor \(RedisGroup.name) 127.0.0.1 \(server.port) 1"],
                users: ["user able on >able \(rights)", "user other on >other -@all +ping"], isSentinel: true)
            try await withRedisClient(RedisConfiguration(.sentinels(master(of: [sentinel], user: "able")))) { client in
                try await eventually("the master") { client.isConnected }
                let nodes = try await client.nodes()
                #expect(nodes.count == 1)
            }
            for user in ["other", "unknown"] {
                let log = TestLog()
                let client = RedisClient(
                    RedisConfiguration(.sentinels(master(of: [sentinel], user: user))), logger: log.logger)
                try await running(client) {
                    let word = user == "other" ? "NOPERM" : "WRONGPASS"
                    try await eventually("the log says why") {
                        log.lines.contains { $0.hasPrefix("redis.sentinel_failed ") && $0.contains(word) }
                    }
                    #expect(!client.isConnected)
                }
            }
            try await sentinel.stop()
        }
    }
}

import RedisClient
import TestSupport
import Testing

/// Real servers and Sentinels: the client finds the master, and never believes one that was replaced.
@Suite(.timeLimit(.minutes(5))) struct RedisSentinelTests {
    private func withClient<Result>(
        of group: RedisGroup, name: String = RedisGroup.name, sentinelCount: Int = 3,
        _ body: (RedisClient, RedisMaster) async throws -> Result
    ) async throws -> Result {
        let master = RedisMaster(
            name: name,
            sentinels: group.sentinels.prefix(sentinelCount).map { server in
                RedisConfiguration(.unchecked(.tcp(host: "127.0.0.1", port: server.port)))
            })
        return try await withRedisClient(RedisConfiguration(.sentinels(master))) { try await body($0, master) }
    }

    private func port(of client: RedisClient) async -> Int? {
        do throws(RedisError) {
            let info = try await client.send(["INFO", "server"]).text ?? ""
            return info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("tcp_port:") }.flatMap {
                Int($0.dropFirst(9))
            }
        } catch { return nil }
    }

    @Test func `commands go to the master, and after its end to the replica, as another run`() async throws {
        try await RedisGroup.with { group in
            try await withClient(of: group) { client, _ in
                try await eventually("the first master") { await port(of: client) == group.first.port }
                let before = try await client.send(RedisRun.command).text.flatMap(RedisRun.find)
                try await group.first.kill()
                try await eventually("the second master") { await port(of: client) == group.second.port }
                let after = try await client.send(RedisRun.command).text.flatMap(RedisRun.find)
                #expect(try #require(before) != #require(after))
                #expect(try await client.send(["SET", "a", "1"]).text == "OK")
            }
        }
    }

    @Test func `a master that was frozen, replaced and woken is not asked again`() async throws {
        try await RedisGroup.with { group in
            try await withClient(of: group) { client, master in
                try await eventually("the first master") { await port(of: client) == group.first.port }
                try group.first.freeze()
                try await eventually("the second master") { await port(of: client) == group.second.port }
                try await eventually("it is settled") { master.isSettled }
                try group.first.thaw()
                for _ in 0..<200 { #expect([group.second.port, nil].contains(await port(of: client))) }
            }
        }
    }

    @Test func `without a majority of the Sentinels nothing is asked, and with one again everything`() async throws {
        try await RedisGroup.with { group in
            try await withClient(of: group) { client, master in
                try await eventually("the master") { client.isConnected }
                for sentinel in group.sentinels.dropFirst() { try sentinel.freeze() }
                try await eventually("no master") { master.current == nil }
                #expect(!client.isConnected)
                #expect(await port(of: client) == nil)
                #expect(try #require(master.problem) == "1 of 3 Sentinels answer, and 2 are needed")
                for sentinel in group.sentinels.dropFirst() { try sentinel.thaw() }
                try await eventually("the master again") { await port(of: client) != nil }
                #expect(master.problem == nil)
            }
        }
    }

    @Test func `a name that the Sentinels do not know, and a URL without all of them, find no master`() async throws {
        try await RedisGroup.with { group in
            try await withClient(of: group, name: "other") { client, master in
                try await eventually("the problem") { master.problem == "the Sentinels know no master named other" }
                #expect(!client.isConnected)
            }
            try await withClient(of: group, sentinelCount: 1) { client, master in
                try await Task.sleep(for: .seconds(1))
                #expect(master.problem == "0 of 1 Sentinels answer, and 1 are needed")
                #expect(await port(of: client) == nil)
            }
        }
    }

    @Test func `a client with a fixed address leaves a server that has become a replica`() async throws {
        try await withRedis { server, client in
            try await withRedisServer { other in
                #expect(try await client.send(["SET", "a", "1"]).text == "OK")
                try await server.command(["REPLICAOF", "127.0.0.1", "\(other.port)"])
                try await eventually("its connections close when a write is refused") {
                    let error = await failure { try await client.send(["SET", "a", "2"]) }
                    return error?.code == .notConnected && !client.isConnected
                }
                try await server.command(["REPLICAOF", "NO", "ONE"])
                try await eventually("it is again") {
                    await failure { try await client.send(["SET", "a", "3"]) } == nil
                }
            }
        }
    }
}

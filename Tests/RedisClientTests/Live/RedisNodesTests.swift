import RedisClient
import TestSupport
import Testing

/// Every node of a group has to have the accounts, and the same memory.
@Suite(.timeLimit(.minutes(5))) struct RedisNodesTests {
    private func withClient(
        of group: RedisGroup, user: String? = nil, _ body: (RedisClient) async throws -> Void
    ) async throws {
        let master = RedisMaster(
            name: RedisGroup.name,
            sentinels: group.sentinels.map {
                RedisConfiguration(.unchecked(.tcp(host: "127.0.0.1", port: $0.port))).patient
            })
        let configuration = RedisConfiguration(.sentinels(master), username: user, password: user).patient
        try await withRedisClient(configuration) { client in
            try await eventually("the master") { client.isConnected }
            try await body(client)
        }
    }

    private func outcomes(_ client: RedisClient) async throws -> [Int: Result<RedisNode.Memory, RedisError>] {
        let nodes = try await client.nodes().compactMap { node -> (Int, Result<RedisNode.Memory, RedisError>)? in
            guard case .tcp(_, let port) = node.address else { return nil }
            return (port, node.memory)
        }
        return Dictionary(nodes) { first, _ in first }
    }

    @Test func `each node is asked with the account, and says its memory`() async throws {
        try await RedisGroup.with(users: ["user app on >app ~* -@all +ping +info +role"]) { group in
            try await withClient(of: group, user: "app") { client in
                try await group.second.command(["CONFIG", "SET", "maxmemory", "50mb"])
                let found = try await outcomes(client)
                #expect(try found[group.first.port]?.get() == RedisNode.Memory(max: 0, policy: "noeviction"))
                #expect(try found[group.second.port]?.get() == RedisNode.Memory(max: 50 << 20, policy: "noeviction"))

                try await group.second.command(["ACL", "DELUSER", "app"])
                let lacking = try await outcomes(client)
                #expect(try lacking[group.first.port]?.get() != nil)
                guard case .failure(let error) = lacking[group.second.port] else {
                    Issue.record("the replica has no account")
                    return
                }
                #expect(error.code == .authenticationFailed)

                try await group.second.kill()
                guard case .failure(let away) = try await outcomes(client)[group.second.port] else {
                    Issue.record("the replica is away")
                    return
                }
                #expect(away.code == .notConnected)
            }
        }
    }

    @Test func `a connection to the former master closes by itself once another is named`() async throws {
        try await RedisGroup.with { group in
            try await withClient(of: group) { client in
                // Its connections stay open, and nothing is sent: only the Sentinels say that the master is another.
                try group.first.freeze()
                try await eventually("the new master has its connections") {
                    let clients = try await group.second.command(["CLIENT", "LIST", "TYPE", "NORMAL"])
                    return clients.split(separator: "\n").count { $0.contains("cmd=role") } >= 2
                }
            }
        }
    }

    @Test func `two Sentinels that disagree are no majority until they agree`() async throws {
        try await withRedisServer { first in
            try await withRedisServer { second in
                func sentinel(_ master: RedisServer) async throws -> RedisServer {
                    try await RedisServer.start(
                        configuration: ["sentinel monitor \(RedisGroup.name) 127.0.0.1 \(master.port) 1"],
                        isSentinel: true)
                }
                let sentinels = [try await sentinel(first), try await sentinel(second)]
                let master = RedisMaster(
                    name: RedisGroup.name,
                    sentinels: sentinels.map {
                        RedisConfiguration(.unchecked(.tcp(host: "127.0.0.1", port: $0.port))).patient
                    })
                try await withRedisClient(RedisConfiguration(.sentinels(master))) { client in
                    try await eventually("the problem is named") {
                        client.problem == "the Sentinels do not agree about the master of latchkey"
                    }
                    let error = await failure { try await client.send(["PING"]) }
                    #expect(error?.code == .notConnected)
                    try await sentinels[1].command(["SENTINEL", "REMOVE", RedisGroup.name])
                    try await sentinels[1].command(
                        ["SENTINEL", "MONITOR", RedisGroup.name, "127.0.0.1", "\(first.port)", "1"])
                    try await eventually("they agree") { client.isConnected }
                }
                for sentinel in sentinels { try await sentinel.stop() }
            }
        }
    }

    @Test func `a replica that the Sentinels call the master is not used, and the reason is named`() async throws {
        try await withRedisServer { server in
            try await withRedisServer { other in
                let sentinel = try await RedisServer.start(
                    configuration: ["sentinel monitor \(RedisGroup.name) 127.0.0.1 \(server.port) 2"], isSentinel: true)
                try await server.command(["REPLICAOF", "127.0.0.1", "\(other.port)"])
                let master = RedisMaster(
                    name: RedisGroup.name,
                    sentinels: [RedisConfiguration(.unchecked(.tcp(host: "127.0.0.1", port: sentinel.port)))])
                try await withRedisClient(RedisConfiguration(.sentinels(master))) { client in
                    let problem = "the Sentinels name redis://127.0.0.1:\(server.port): the server is not the master"
                    try await eventually("the reason is named") { client.problem == problem }
                    #expect(!client.isConnected)
                    try await server.command(["REPLICAOF", "NO", "ONE"])
                    try await eventually("it is used once it is one") { client.isConnected }
                }
                try await sentinel.stop()
            }
        }
    }

    @Test func `an account that may not ask for the role is refused with the right that it lacks`() async throws {
        try await withRedisServer(users: ["user app on >app ~* -@all +ping +info +get"]) { server in
            let configuration = RedisConfiguration(port: server.port, username: "app", password: "app")
            let log = TestLog()
            let client = RedisClient(configuration, logger: log.logger)
            let running = Task { try await client.run() }
            try await eventually("the reason is named") { client.problem?.contains("+role") == true }
            #expect(log.lines.contains { $0.contains("redis.disconnected") && $0.contains("+role") })
            try await server.command(["ACL", "SETUSER", "app", "+role"])
            try await eventually("it is used as soon as it may") { client.isConnected }
            running.cancel()
            try await running.value
        }
    }
}

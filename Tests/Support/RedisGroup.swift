/// A Redis with a replica and three Sentinels, which fail over within about two seconds.
package struct RedisGroup: Sendable {
    /// The name by which the Sentinels know the master.
    package static let name = "latchkey"

    /// The server that is the master at first.
    package let first: RedisServer
    package let second: RedisServer
    package let sentinels: [RedisServer]

    /// The URL with all Sentinels.
    package var url: String {
        "redis+sentinel://\(sentinels.map { "127.0.0.1:\($0.port)" }.joined(separator: ","))/\(Self.name)"
    }

    /// The account of replicas and Sentinels at the servers, if these have accounts.
    private static let peer = "peer"

    private static func start(users: [String]) async throws -> RedisGroup {
        let accounts = users.isEmpty ? [] : users + ["user \(peer) on >\(peer) ~* &* +@all"]
        let common =
            ["repl-diskless-sync-delay 0"] + (users.isEmpty ? [] : ["masteruser \(peer)", "masterauth \(peer)"])
        let first = try await RedisServer.start(configuration: common, users: accounts)
        let second = try await RedisServer.start(
            configuration: common + ["replicaof 127.0.0.1 \(first.port)"], users: accounts)
        let watch = [
            "sentinel monitor \(name) 127.0.0.1 \(first.port) 2", "sentinel down-after-milliseconds \(name) 500",
            "sentinel failover-timeout \(name) 5000",
        ]
        let credentials =
            users.isEmpty ? [] : ["sentinel auth-user \(name) \(peer)", "sentinel auth-pass \(name) \(peer)"]
        var sentinels: [RedisServer] = []
        for _ in 0..<3 {
            sentinels.append(try await RedisServer.start(configuration: watch + credentials, isSentinel: true))
        }
        return RedisGroup(first: first, second: second, sentinels: sentinels)
    }

    private func stop() async throws {
        for server in sentinels + [first, second] { try await server.stop() }
    }

    /// Runs `body` with a group of its own, in which each Sentinel knows the others and the replica.
    package static func with<Result>(
        users: [String] = [], _ body: (RedisGroup) async throws -> Result
    ) async throws -> Result {
        let group = try await start(users: users)
        do {
            try await eventually("each Sentinel knows the others and the replica") { try await group.isWhole() }
            let result = try await body(group)
            try await group.stop()
            return result
        } catch {
            try await group.stop()
            throw error
        }
    }

    private func isWhole() async throws -> Bool {
        for sentinel in sentinels {
            let words = try await sentinel.command(["SENTINEL", "MASTER", Self.name]).split(separator: "\n").map(
                String.init)
            let fields = Dictionary(
                stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }, uniquingKeysWith: { $1 }
            )
            guard fields["num-other-sentinels"] == "2", fields["num-slaves"] == "1", fields["flags"] == "master" else {
                return false
            }
        }
        return true
    }
}

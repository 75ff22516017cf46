import Glibc
import NIOCore
import NIOPosix
import RedisClient
import ServerNames
import TestSupport
import Testing

/// Names of servers and Sentinels that are never resolved: they hold up nothing else.
@Suite(.timeLimit(.minutes(5))) struct RedisNamesTests {
    /// `hang` is never resolved; any other name is this machine.
    private static let names = ServerNames { name in
        if name.hasPrefix("hang") { sleep(600) }
        do { return .success([try SocketAddress(ipAddress: "127.0.0.1", port: 0)]) } catch {
            return .failure(.notFound("\(error)"))
        }
    }

    private func sentinel(_ host: String, _ port: Int) -> RedisConfiguration {
        var configuration = RedisConfiguration(.unchecked(.tcp(host: host, port: port)))
        configuration.names = Self.names
        return configuration
    }

    @Test func `a Sentinel whose name hangs delays neither the others nor a failover`() async throws {
        try await RedisGroup.with { group in
            let ports = group.sentinels.map(\.port)
            let master = RedisMaster(
                name: RedisGroup.name,
                sentinels: [
                    sentinel("hang", ports[0]), sentinel("one", ports[1]), sentinel("two", ports[2]),
                ])
            var configuration = RedisConfiguration(.sentinels(master))
            configuration.names = Self.names
            try await withRedisClient(configuration) { client in
                try await eventually("the master") { client.isConnected }
                try await group.first.kill()
                try await eventually("the new master", within: .seconds(15)) {
                    await failure { try await client.send(["SET", "a", "1"]) } == nil
                }
            }
        }
    }

    @Test func `a client of a server whose name hangs delays none on the same thread`() async throws {
        try await withRedisServer { server in
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            var stuck = RedisConfiguration(.server(.tcp(host: "hang", port: server.port)))
            stuck.names = Self.names
            var good = RedisConfiguration(.server(.tcp(host: "good", port: server.port)))
            good.names = Self.names
            let log = TestLog()
            let clients = [stuck, good].map { RedisClient($0, group: group, logger: log.logger) }
            let running = clients.map { client in Task { try await client.run() } }
            try await eventually("the other is connected", within: .seconds(2)) { clients[1].isConnected }
            try await eventually("its problem is named") {
                clients[0].problem == "no connection in time" || clients[0].problem?.contains("not resolved") == true
            }
            for task in running {
                task.cancel()
                try await task.value
            }
            try await group.shutdownGracefully()
        }
    }

    @Test func `a Sentinel that has two names is no majority, and the log says so`() async throws {
        try await RedisGroup.with { group in
            let port = group.sentinels[0].port
            let master = RedisMaster(
                name: RedisGroup.name,
                sentinels: [sentinel("one", port), sentinel("two", port), sentinel("three", group.sentinels[1].port)])
            let log = TestLog()
            let client = RedisClient(RedisConfiguration(.sentinels(master)), logger: log.logger)
            let running = Task { try await client.run() }
            try await eventually("the log names the twin") {
                log.lines.contains { $0.contains("the same Sentinel as redis://one:") }
            }
            // The two that remain are a majority of the three that the URL names.
            try await eventually("the master") { client.isConnected }
            try group.sentinels[1].freeze()
            try await eventually("one Sentinel is none") { master.current == nil }
            try group.sentinels[1].thaw()
            running.cancel()
            try await running.value
        }
    }
}

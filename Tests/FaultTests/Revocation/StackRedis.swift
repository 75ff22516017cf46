import FoundationEssentials
import Glibc
import Logging
import NIOPosix
import RedisClient
import TestSupport

/// The Redis of a stack in the hands of an operator who may do anything with it.
struct StackRedis: Sendable {
    private static let user = (name: "fault", password: "fault")
    private static let limit = Patience.limit

    let stack: LatchkeyStack
    let port: Int
    private let client: RedisClient

    private var folder: String { stack.dataDirectory + "/redis" }

    /// Runs `body` with an account of its own in the stack's Redis, which is started again for it.
    static func with<Value>(_ stack: LatchkeyStack, _ body: (StackRedis) async throws -> Value) async throws -> Value {
        let accounts = stack.dataDirectory + "/redis/users.acl"
        let text = try String(contentsOfFile: accounts, encoding: .utf8)
        try (text + "user \(user.name) on >\(user.password) ~* &* +@all\n").write(
            toFile: accounts, atomically: false, encoding: .utf8)
        try await stack.restart("redis", by: SIGKILL)
        let port = Int(try stack.service("redis").base.split(separator: ":").last ?? "") ?? 0
        return try await withRedisClient(configuration(port)) { client in
            try await body(StackRedis(stack: stack, port: port, client: client))
        }
    }

    private static func configuration(_ port: Int) -> RedisConfiguration {
        // A client of a master refuses replicas. This one sends commands to a replica too, so it must not check the role.
        var configuration = RedisConfiguration(
            .unchecked(.tcp(host: "127.0.0.1", port: port)), username: user.name, password: user.password)
        configuration.backoff.longest = .milliseconds(20)
        configuration.commandTimeout = Patience.limit
        return configuration
    }

    func send(_ command: [RedisArgument]) async throws { _ = try await client.send(command) }

    /// Waits until the server answers.
    /// - Returns: when it did.
    func answers() async throws -> ContinuousClock.Instant {
        try await eventually("Redis answers", within: Self.limit, every: .milliseconds(2)) {
            do throws(RedisError) {
                let connection = try await RedisDedicatedConnection.open(
                    Self.configuration(port), group: MultiThreadedEventLoopGroup.singleton, logger: .silent)
                await connection.close()
                return true
            } catch { return false }
        }
        return .now
    }

    /// Replaces a line of the configuration; the next start reads it.
    func configure(_ line: String, as other: String) throws {
        let path = folder + "/redis.conf"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing(line, with: other).write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Kills the server, runs `body` while the supervisor does not restart it, and lets the supervisor continue.
    func replaced(by body: () async throws -> Void) async throws {
        try stack.signal("supervisor", SIGSTOP)
        do {
            try stack.signal("redis", SIGKILL)
            try await body()
        } catch {
            try stack.signal("supervisor", SIGCONT)
            throw error
        }
        try stack.signal("supervisor", SIGCONT)
    }

    /// Removes all that the server has on disk but its configuration.
    func removeFiles() throws { try FileManager.default.removeItem(atPath: folder + "/appendonlydir") }

    /// Runs `body` with a replica that has the same accounts and is in step.
    func withReplica<Value>(_ body: (Replica) async throws -> Value) async throws -> Value {
        let accounts = try String(contentsOfFile: folder + "/users.acl", encoding: .utf8)
        let lines = [
            "replicaof 127.0.0.1 \(port)", "masteruser \(Self.user.name)", "masterauth \(Self.user.password)", "hz 100",
            "repl-diskless-sync-delay 0", "unixsocket redis.sock",
        ]
        return try await withRedisServer(
            configuration: lines, users: accounts.split(separator: "\n").map(String.init)
        ) { server in
            try await withRedisClient(Self.configuration(server.port)) { client in
                try await eventually("the replica is in step") {
                    let info = try await client.send(["INFO", "replication"]).text ?? ""
                    return info.contains("master_link_status:up")
                }
                return try await body(Replica(client: client, socket: server.directory + "/redis.sock"))
            }
        }
    }

    /// Another server with the same content.
    struct Replica: Sendable {
        fileprivate let client: RedisClient
        fileprivate let socket: String

        /// Follows the master no more, and loses what is written there from now on.
        func promote() async throws { _ = try await client.send(["REPLICAOF", "NO", "ONE"]) }

        /// Takes the place of the master, which must be gone: its port and its socket file.
        func takePlace(of master: StackRedis) async throws {
            try await eventually("the port of the master is free", every: .milliseconds(2)) {
                do throws(RedisError) {
                    _ = try await client.send(["CONFIG", "SET", "port", .integer(Int64(master.port))])
                    return true
                } catch {
                    // An error reply: the master is not quite gone. Otherwise our connection went with the old port.
                    guard error.code != .reply else { return false }
                    return true
                }
            }
            let place = master.stack.dataDirectory + "/run/redis.sock"
            try FileManager.default.removeItem(atPath: place)
            try FileManager.default.moveItem(atPath: socket, toPath: place)
        }
    }
}

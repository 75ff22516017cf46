import Logging
import RedisClient
import SupervisorCore
import TestSupport
import Testing

/// The accounts of `RedisACL` in a real Redis.
@Suite(.timeLimit(.minutes(5))) struct RedisReplayTests {
    private static let library = RedisLibrary(
        "test",
        [
            .init("write", "redis.call('SET', KEYS[1], '1') redis.call('SET', KEYS[2], '2') return 1"),
            .init("loop", "while true do end"),
        ])

    /// Runs `body` with a server that has the accounts.
    private func withAccounts(
        _ configuration: [String] = [], _ body: (RedisServer) async throws -> Void
    ) async throws {
        let names = Manifest.redisUsers.map { ($0.name, "secret") }
        let users = RedisACL.text(passwords: Dictionary(uniqueKeysWithValues: names))
        try await withRedisServer(
            configuration: configuration, users: users.split(separator: "\n").map(String.init), body)
    }

    /// Runs `body` with a client of an account, and ends it on every way out.
    private func signedIn(
        _ user: String?, _ password: String? = "secret", to server: RedisServer, timeout: Duration = Patience.limit,
        _ body: (RedisClient) async throws -> Void
    ) async throws {
        var configuration = RedisConfiguration.patient(port: server.port, username: user, password: password)
        configuration.commandTimeout = timeout
        let redis = RedisClient(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let run = Task { try await redis.run() }
        defer { run.cancel() }
        try await body(redis)
    }

    @Test func `a restart brings back functions and what they have written, and nobody gets in without a password`()
        async throws
    {
        try await withAccounts(["appendonly yes", "appendfsync always"]) { server async throws in
            try await signedIn("functions", to: server) { _ = try await $0.load([Self.library], now: 1) }
            try await signedIn("otp", to: server) { redis async throws in
                let write = Self.library.function("write")
                #expect(try await redis.call(write, keys: ["otp:a", "otp:b"], arguments: []) == .integer(1))
                try await server.restart()
                for (key, byte) in [("otp:a", 0x31), ("otp:b", 0x32)] as [(RedisArgument, UInt8)] {
                    #expect(try await redis.send(["GET", key]) == .string([byte]))
                }
                #expect(try await redis.call(write, keys: ["otp:a", "otp:b"], arguments: []) == .integer(1))
            }
            for (user, password) in [(nil, nil), ("default", ""), ("default", "secret")] as [(String?, String?)] {
                try await signedIn(user, password, to: server, timeout: .milliseconds(300)) { redis async throws in
                    await #expect(throws: RedisError.self) { try await redis.send(["GET", "otp:a"]) }
                }
            }
        }
    }

    @Test(arguments: ["gateway", "otp", "token", "user"])
    func `a service runs functions on its own keys alone, and no source of its own`(user: String) async throws {
        try await withAccounts { server async throws in
            try await signedIn("functions", to: server) { _ = try await $0.load([Self.library], now: 1) }
            try await signedIn(user, to: server) { redis async throws in
                for command: [RedisArgument] in [
                    ["EVAL", "return 1", 0], ["EVAL_RO", "return 1", 0], ["SCRIPT", "LOAD", "return 1"],
                    ["EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", 0],
                    ["FUNCTION", "LOAD", .text(Self.library.source(loadedAt: 0))], ["FUNCTION", "FLUSH"],
                    ["FUNCTION", "LIST"], ["FUNCTION", "KILL"], ["SCRIPT", "KILL"], ["SCAN", 0], ["KEYS", "*"],
                    ["CONFIG", "GET", "*"], ["ACL", "LIST"],
                ] {
                    let error = await #expect(throws: RedisError.self) { try await redis.send(command) }
                    #expect(error?.replyPrefix == "NOPERM", "\(command)")
                }
                let error = await #expect(throws: RedisError.self) {
                    try await redis.call(Self.library.function("write"), keys: ["other:a", "other:b"], arguments: [])
                }
                #expect(error?.replyPrefix == "NOPERM")
            }
        }
    }

    @Test func `who loads functions can touch no key, and what is of another's making stays`() async throws {
        try await withAccounts { server async throws in
            try await signedIn("functions", to: server) { redis async throws in
                _ = try await redis.load([Self.library], now: 1)
                for command: [RedisArgument] in [
                    ["GET", "otp:a"], ["FCALL", .text(Self.library.function("write").name), 2, "otp:a", "otp:b"],
                    ["FUNCTION", "FLUSH"], ["FLUSHALL"],
                ] {
                    await #expect(throws: RedisError.self) { try await redis.send(command) }
                }
            }
        }
    }

    @Test func `the operator ends a function that loops, and the others go on`() async throws {
        try await withAccounts(["busy-reply-threshold 100"]) { server async throws in
            try await signedIn("functions", to: server) { _ = try await $0.load([Self.library], now: 1) }
            // The operator is connected before the loop: during it Redis refuses the first command of a connection.
            try await signedIn("operator", to: server) { operatorClient async throws in
                try await eventually("the operator is connected") {
                    await replyPrefix { try await operatorClient.send(["FUNCTION", "KILL"]) } == "NOTBUSY"
                }
                try await signedIn("otp", to: server) { redis async throws in
                    async let loop = replyPrefix {
                        try await redis.call(Self.library.function("loop"), keys: [], arguments: [])
                    }
                    try await eventually("the loop is ended") {
                        await replyPrefix { try await operatorClient.send(["FUNCTION", "KILL"]) } == nil
                    }
                    #expect(await loop != nil)
                    #expect(try await redis.send(["SET", "otp:a", "1"]).text == "OK")
                }
            }
        }
    }

    /// The first word of the error that Redis replies with; `nil` if it replies with a value.
    private func replyPrefix(_ command: () async throws -> RedisValue) async -> String? {
        do {
            _ = try await command()
            return nil
        } catch { return (error as? RedisError)?.replyPrefix.map(String.init) ?? "\(error)" }
    }
}

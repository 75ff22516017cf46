import Logging
import RedisClient
import SupervisorCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedisReplayTests {
    @Test func `a restart brings back what scripts have written, and nobody gets in without a password`() async throws {
        let users = RedisACL.text(passwords: ["otp": "secret"]).split(separator: "\n").map(String.init)
        try await withRedisServer(configuration: ["appendonly yes", "appendfsync always"], users: users) { server in
            var otp = RedisConfiguration(port: server.port, username: "otp", password: "secret")
            // The machine that runs the tests may be busy.
            otp.commandTimeout = .seconds(10)
            try await connected(otp) { redis in
                let script = RedisScript("redis.call('SET', KEYS[1], '1') redis.call('SET', KEYS[2], '2') return 1")
                #expect(
                    try await redis.evaluate(script, keys: ["otp:a", "otp:b"], arguments: []) == .integer(1))
                try await server.restart()
                for (key, byte) in [("otp:a", 0x31), ("otp:b", 0x32)] as [(RedisArgument, UInt8)] {
                    #expect(try await redis.send(["GET", key]) == .string([byte]))
                }
                for command: [RedisArgument] in [
                    ["EVAL", "return 1", 0], ["SCAN", 0], ["KEYS", "*"], ["MGET", "otp:a"],
                ] {
                    await #expect(throws: RedisError.self) { try await redis.send(command) }
                }
            }
            for (user, password) in [(nil, nil), ("default", ""), ("default", "secret")] as [(String?, String?)] {
                var configuration = RedisConfiguration(port: server.port, username: user, password: password)
                configuration.commandTimeout = .milliseconds(300)
                try await connected(configuration) { redis in
                    await #expect(throws: RedisError.self) { try await redis.send(["GET", "otp:a"]) }
                }
            }
        }
    }

    /// Runs `body` with a client, and ends it on every way out.
    private func connected(_ configuration: RedisConfiguration, _ body: (RedisClient) async throws -> Void) async throws
    {
        let redis = RedisClient(configuration, logger: Logger(label: "test"))
        let run = Task { try await redis.run() }
        defer { run.cancel() }
        try await body(redis)
    }
}

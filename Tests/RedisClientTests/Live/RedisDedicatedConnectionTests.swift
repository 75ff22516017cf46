import NIOPosix
import RedisClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedisDedicatedConnectionTests {
    private let read: [[RedisArgument]] = [["XREAD", "BLOCK", 60_000, "STREAMS", "log", "$"], ["GET", "generation"]]

    @Test func `a blocking read gets the entry that is added meanwhile`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { client in
                _ = try await client.send(["SET", "generation", "7"])
                let reader = try await open(server)
                async let replies = reader.pipeline(read, timeout: Patience.limit)
                try await client.seesBlockedClient()
                let id = try await client.send(["XADD", "log", "*", "sid", "s1"])
                let entry = RedisValue.array([id, .array([.string(Array("sid".utf8)), .string(Array("s1".utf8))])])
                let stream = RedisValue.array([.string(Array("log".utf8)), .array([entry])])
                #expect(try await replies == [.success(.array([stream])), .success(.string(Array("7".utf8)))])
                await reader.close()
            }
        }
    }

    @Test func `a read without entries is null, and the connection stays of use`() async throws {
        try await withRedisServer { server in
            let reader = try await open(server)
            for _ in 0..<3 {
                let replies = try await reader.pipeline(
                    [["XREAD", "BLOCK", 5, "STREAMS", "log", "$"]], timeout: Patience.limit)
                #expect(replies == [.success(.null)])
            }
            await reader.close()
        }
    }

    @Test func `a killed server, a passed time and a close end it for good`() async throws {
        try await withRedisServer { server in
            let late = try await open(server)
            #expect(await error(late, timeout: .milliseconds(50))?.code == .timeout)
            #expect(await error(late, timeout: .milliseconds(50))?.code == .notConnected)
            let closed = try await open(server)
            await closed.close()
            #expect(await error(closed, timeout: Patience.limit)?.code == .notConnected)
            try await withClient(of: server) { watch in
                let cut = try await open(server)
                async let cutError = error(cut, timeout: Patience.limit)
                try await watch.seesBlockedClient()
                try await server.kill()
                #expect(await cutError?.code == .connectionLost)
            }
        }
    }

    @Test func `opening fails without a server, and with a wrong password`() async throws {
        try await withRedisServer(configuration: ["requirepass right"]) { server in
            #expect(await openError(server) { $0.password = "wrong" }?.code == .authenticationFailed)
            #expect(await openError(server) { _ in }?.code == .authenticationFailed)
            try server.freeze()
            let frozen = await openError(server) { configuration in
                configuration.password = "right"
                configuration.connectTimeout = .milliseconds(200)
            }
            #expect(frozen != nil)
            try server.thaw()
            try await server.kill()
            #expect(await openError(server) { $0.password = "right" }?.code == .notConnected)
        }
    }

    private func open(
        _ server: RedisServer, _ configure: (inout RedisConfiguration) -> Void = { _ in }
    ) async throws(RedisError) -> RedisDedicatedConnection {
        try await RedisDedicatedConnection.open(
            server.client(configure), group: MultiThreadedEventLoopGroup.singleton, logger: .silent)
    }

    private func openError(
        _ server: RedisServer, _ configure: (inout RedisConfiguration) -> Void
    ) async -> RedisError? {
        await failure { try await open(server, configure) }
    }

    private func error(_ connection: RedisDedicatedConnection, timeout: Duration) async -> RedisError? {
        await failure { try await connection.pipeline(read, timeout: timeout) }
    }
}

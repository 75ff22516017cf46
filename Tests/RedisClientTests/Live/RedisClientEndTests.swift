import RedisClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedisClientEndTests {
    @Test func `shutdown lets commands in flight finish and takes no more`() async throws {
        try await withRedisServer { server in
            let client = RedisClient(server.client(), logger: .silent)
            let run = Task { try await client.run() }
            try await withClient(of: server) { watch in
                async let waiting = client.send(["BLPOP", "list", "0"])
                try await watch.seesBlockedClient()
                run.cancel()
                try await eventually("the client has disconnected") { !client.isConnected }
                #expect(await failure { try await client.send(["PING"]) }?.code == .notConnected)
                _ = try await watch.send(["RPUSH", "list", "last"])
                #expect(try await waiting.arrayValue?.last?.text == "last")
            }
            try await run.value
            #expect(!client.isConnected)
            let error = await failure { try await client.send(["PING"]) }
            #expect(error == RedisError(.notConnected, "the client has ended"))
        }
    }

    @Test func `shutdown without a server is prompt and fails what waits`() async throws {
        try await withRedisServer { server in
            try await server.kill()
            let client = RedisClient(server.client(), logger: .silent)
            let run = Task { try await client.run() }
            async let error = failure { try await client.send(["PING"]) }
            run.cancel()
            try await run.value
            #expect(await error?.code == .notConnected)
        }
    }

    @Test func `a cancelled task stops waiting at once, and later replies keep their owners`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { watch in
                try await withClient(of: server, { $0.connectionCount = 1 }) { client in
                    let task = Task { await failure { try await client.send(["BLPOP", "list", "0"]) } }
                    try await watch.seesBlockedClient()
                    task.cancel()
                    let error = await task.value
                    #expect(error == RedisError(.cancelled, "the calling task was cancelled", wasSent: true))
                    async let echo = client.send(["ECHO", "mine"])
                    _ = try await watch.send(["RPUSH", "list", "nobody waits for this"])
                    #expect(try await echo.text == "mine")
                }
            }
        }
    }

    @Test func `a task cancelled while it waits for a connection has sent nothing`() async throws {
        try await withRedisServer { server in
            try await server.kill()
            try await withClient(of: server) { client in
                let task = Task { await failure { try await client.send(["INCR", "a"]) } }
                task.cancel()
                #expect(await task.value == RedisError(.cancelled, "the calling task was cancelled"))
                try await server.launch()
                #expect(try await client.send(["GET", "a"]).isNull)
            }
        }
    }
}

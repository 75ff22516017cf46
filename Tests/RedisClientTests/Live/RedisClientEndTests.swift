import Logging
import RedisClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedisClientEndTests {
    @Test func `shutdown lets commands in flight finish and takes no more`() async throws {
        try await withRedisServer { server in
            let client = RedisClient(server.client(), logger: Logger(label: "test"))
            let run = Task { try await client.run() }
            try await eventually { client.isConnected }
            async let waiting = client.send(["BLPOP", "list", "0.5"])
            try await eventually {
                try await client.send(["INFO", "clients"]).text?.contains("blocked_clients:1") == true
            }
            run.cancel()
            #expect(try await waiting == .null)
            try await run.value
            #expect(!client.isConnected)
            let error = await failure { try await client.send(["PING"]) }
            #expect(error == RedisError(.notConnected, "the client has ended"))
        }
    }

    @Test func `shutdown without a server is prompt and fails what waits`() async throws {
        try await withRedisServer { server in
            try await server.kill()
            let client = RedisClient(server.client(), logger: Logger(label: "test"))
            let run = Task { try await client.run() }
            async let error = failure { try await client.send(["PING"]) }
            try await Task.sleep(for: .milliseconds(20))
            run.cancel()
            try await run.value
            #expect(await error?.code == .notConnected)
        }
    }

    @Test func `a cancelled task stops waiting at once, and later replies keep their owners`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server, { $0.connectionCount = 1 }) { client in
                let task = Task {
                    await failure { try await client.send(["BLPOP", "list", "0.5"]) }
                }
                try await eventually { client.isConnected }
                try await Task.sleep(for: .milliseconds(50))
                let start = ContinuousClock.now
                task.cancel()
                #expect(await task.value?.code == .cancelled)
                #expect(ContinuousClock.now - start < .milliseconds(400))
                #expect(try await client.send(["ECHO", "mine"]).text == "mine")
            }
        }
    }

    @Test func `a task cancelled while it waits for a connection has sent nothing`() async throws {
        try await withRedisServer { server in
            try await server.kill()
            try await withClient(of: server) { client in
                let task = Task { await failure { try await client.send(["INCR", "a"]) } }
                try await Task.sleep(for: .milliseconds(20))
                task.cancel()
                #expect(await task.value == RedisError(.cancelled, "the calling task was cancelled"))
                try await server.launch()
                #expect(try await client.send(["GET", "a"]).isNull)
            }
        }
    }
}

import FoundationEssentials
import RedisClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedisClientSocketTests {
    @Test func `over a socket file commands are answered, and again after a restart`() async throws {
        try await withRedisServer(configuration: ["unixsocket redis.sock"]) { server in
            let path = server.directory + "/redis.sock"
            try await withClient(of: server, { $0.location = .server(.unix(path: path)) }) { client in
                #expect(try await client.send(["SET", "a", "1"]).text == "OK")
                let clients = try await client.send(["CLIENT", "LIST"]).text ?? ""
                #expect(clients.contains("redis.sock"))
                try await server.restart()
                try await eventually("a reply") { await failure { try await client.send(["PING"]) } == nil }
                #expect(try await client.send(["GET", "a"]).isNull)
            }
        }
    }

    @Test func `a path as long as one may be leads there`() async throws {
        try await withRedisServer(configuration: ["unixsocket redis.sock"]) { server in
            let start = server.directory + "/"
            let rest = RedisAddress.pathBytesMax - start.utf8.count
            try #require(rest > "redis.sock".utf8.count, "the folder of temporary files is too deep for this test")
            let path = start + String(repeating: "r", count: rest)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: start + "redis.sock")
            try await withClient(of: server, { $0.location = .server(.unix(path: path)) }) { client in
                let answer = try await client.send(["PING"])
                #expect(answer.text == "PONG")
            }
        }
    }

    @Test func `a path at which nobody listens is no connection`() async throws {
        try await withRedisServer { server in
            let configure: (inout RedisConfiguration) -> Void = { configuration in
                configuration.location = .server(.unix(path: server.directory + "/none.sock"))
                configuration.commandTimeout = .milliseconds(200)
            }
            try await withClient(of: server, configure) { client in
                let error = await failure { try await client.send(["PING"]) }
                #expect(error?.wasSent == false)
            }
        }
    }
}

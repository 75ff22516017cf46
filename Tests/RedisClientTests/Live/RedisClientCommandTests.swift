import RedisClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedisClientCommandTests {
    @Test func `ten thousand concurrent commands get their own answers`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { client in
                try await withThrowingTaskGroup { group in
                    for number in 0..<10_000 {
                        group.addTask {
                            let payload = "payload-\(number)"
                            let echo = try await client.send(["ECHO", .text(payload)])
                            #expect(echo.text == payload)
                            _ = try await client.send(["INCR", "counter"])
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await client.send(["GET", "counter"]).integerValue == 10_000)
            }
        }
    }

    @Test func `concurrent pipelines stay whole and in order`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { client in
                try await withThrowingTaskGroup { group in
                    for number in 0..<500 {
                        group.addTask {
                            let words = (0..<10).map { "\(number)-\($0)" }
                            let replies = try await client.pipeline(words.map { ["ECHO", .text($0)] })
                            #expect(try replies.map { try $0.get().text } == words)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await client.pipeline([]).isEmpty)
                #expect(await failure { try await client.pipeline([["PING"], []]) }?.code == .protocolViolation)
                #expect(try await client.send(["ECHO", "mine"]).text == "mine")
            }
        }
    }

    @Test func `an error reply in a pipeline fails its own command alone`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { client in
                let replies = try await client.pipeline([
                    ["SET", "a", "1"], ["LPUSH", "a", "x"], ["GET", "a"], ["GET", "b"],
                ])
                #expect(replies[0] == .success(.status("OK")))
                #expect(replies[1].replyPrefix == "WRONGTYPE")
                #expect(replies[2] == .success(.string([0x31])))
                #expect(replies[3] == .success(.null))
            }
        }
    }

    @Test func `full, read-only and mistyped are errors, never nothing found`() async throws {
        try await withRedisServer(configuration: ["maxmemory 1"]) { server in
            try await withClient(of: server) { client in
                #expect(await failure { try await client.send(["SET", "a", "1"]) }?.replyPrefix == "OOM")
            }
        }
        try await withRedisServer { server in
            try await withClient(of: server) { client in
                #expect(try await client.send(["SET", "a", "1"]).text == "OK")
                try await server.command(["REPLICAOF", "127.0.0.1", "1"])
                #expect(
                    await failure { try await client.send(["SET", "a", "1"]) }?.replyPrefix == "READONLY")
            }
        }
    }

    @Test func `a reply over the bound is refused, and the client goes on`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server, { $0.replyBytesMax = 1_024 }) { client in
                _ = try await client.send(["SET", "big", .bytes([UInt8](repeating: 0, count: 100_000))])
                let error = await failure { try await client.send(["GET", "big"]) }
                #expect(error?.code == .protocolViolation)
                #expect(try await client.send(["STRLEN", "big"]).integerValue == 100_000)
            }
        }
    }
}

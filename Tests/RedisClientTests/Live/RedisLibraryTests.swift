import Logging
import TestSupport
import Testing

@testable import RedisClient

/// Function libraries in a real Redis.
@Suite(.timeLimit(.minutes(5))) struct RedisLibraryTests {
    private func library(_ number: Int) -> RedisLibrary {
        RedisLibrary(
            "test",
            [
                .init("count", "return {KEYS[1], ARGV[1], redis.call('INCR', KEYS[1]) * \(number)}"),
                .init("fail", "redis.call('INCR', KEYS[1]); return redis.error_reply('MINE refused')"),
                .init("read", "return redis.call('GET', KEYS[1])", .reads),
                .init("free", "return redis.call('DEL', KEYS[1])", .frees),
            ])
    }

    private func count(_ library: RedisLibrary, _ client: RedisClient) async throws -> Int64? {
        try await client.call(library.function("count"), keys: ["k"], arguments: ["v"]).arrayValue?.last?.integerValue
    }

    @Test func `a function is there once loaded, after FLUSHALL and after a restart`() async throws {
        try await withRedisServer(configuration: ["appendonly yes", "appendfsync always"]) { server async throws in
            try await withClient(of: server) { client async throws in
                let library = library(1)
                #expect(await !client.has(library))
                let error = await failure { try await count(library, client).map(RedisValue.integer) ?? .null }
                #expect(error?.isFunctionMissing == true)
                #expect(try await client.load([library], now: 1).isEmpty)
                #expect(try await count(library, client) == 1)
                _ = try await client.send(["FLUSHALL"])
                #expect(try await count(library, client) == 1)
                try await server.restart()
                #expect(try await count(library, client) == 2)
                #expect(await client.has(library))
            }
        }
    }

    @Test func `releases run side by side, and after some more the oldest library goes`() async throws {
        try await withRedisServer { server async throws in
            try await withClient(of: server) { client async throws in
                for number in 1...4 { #expect(try await client.load([library(number)], now: Int64(number)).isEmpty) }
                #expect(try await count(library(1), client) == 1)
                #expect(try await count(library(4), client) == 8)
                // A release that starts again is in use: of the others the one loaded longest ago goes.
                #expect(try await client.load([library(1)], now: 5).isEmpty)
                #expect(try await client.load([library(5)], now: 6) == [library(2).name])
                #expect(await client.has(library(1)))
                #expect(await !client.has(library(2)))
            }
        }
    }

    @Test func `a function that fails is an error and is not repeated`() async throws {
        try await withRedisServer(functions: [library(1).source(loadedAt: 0)]) { server async throws in
            try await withClient(of: server) { client async throws in
                for count in 1...2 {
                    let error = await failure {
                        try await client.call(library(1).function("fail"), keys: ["k"], arguments: [])
                    }
                    #expect(error?.replyPrefix == "MINE")
                    #expect(try await client.send(["GET", "k"]).integerValue == Int64(count))
                }
            }
        }
    }

    @Test func `a full Redis refuses a function that writes before it begins, and runs those that read or free`()
        async throws
    {
        try await withRedisServer(functions: [library(1).source(loadedAt: 0)]) { server async throws in
            try await withClient(of: server) { client async throws in
                _ = try await client.send(["SET", "k", "1"])
                _ = try await client.send(["CONFIG", "SET", "maxmemory", "1"])
                let error = await failure {
                    try await client.call(library(1).function("fail"), keys: ["k"], arguments: [])
                }
                #expect(error?.replyPrefix == "OOM")
                let reply = try await client.call(library(1).function("read"), keys: ["k"], arguments: [])
                #expect(reply.integerValue == 1)
                let freed = try await client.call(library(1).function("free"), keys: ["k"], arguments: [])
                #expect(freed.integerValue == 1)
            }
        }
    }

    @Test func `a function that says it reads cannot write`() async throws {
        let library = RedisLibrary("test", [.init("liar", "return redis.call('DEL', KEYS[1])", .reads)])
        try await withRedisServer(functions: [library.source(loadedAt: 0)]) { server async throws in
            try await withClient(of: server) { client async throws in
                let error = await failure {
                    try await client.call(library.function("liar"), keys: ["k"], arguments: [])
                }
                #expect(error != nil)
            }
        }
    }
}

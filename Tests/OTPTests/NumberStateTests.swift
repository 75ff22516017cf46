import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(1))) struct NumberStateTests {
    @Test func `a number that asked once and signed in once takes 34 bytes`() async throws {
        try await withBench(.howru) { bench async throws in
            let code = try await bench.sentCode()
            #expect(try await valueLengths(bench) == [21])
            bench.clock.advance(20)
            #expect(try await bench.verify(code).result == .approved)
            #expect(try await valueLengths(bench) == [34])
        }
    }

    @Test func `a long history moves to a key of its own and back`() async throws {
        try await withBench(.generous) { bench async throws in
            var code = ""
            for _ in 0..<30 { code = try await bench.sentCode() }
            #expect(try await valueLengths(bench).isEmpty)
            #expect(try await keys(bench, "otp:1:l:*").count == 1)
            for number in 0..<4 {
                #expect(try await bench.verify(CodeBench.wrong(code, number)).result == .wrongCode)
            }
            #expect(try await bench.verify(code).result == .approved)
            bench.clock.advance(86_400)
            #expect(try await bench.request().result == .sent)
            #expect(try await keys(bench, "otp:1:l:*").isEmpty)
            #expect(try await valueLengths(bench).count == 1)
        }
    }

    @Test func `sweeping leaves what counts and drops what does not`() async throws {
        try await withBench(.howru) { bench async throws in
            #expect(try await bench.verify(try await bench.sentCode()).result == .approved)
            try await bench.request("+15551234568")
            try await sweep(bench)
            #expect(try await valueLengths(bench).sorted() == [21, 34])
            bench.clock.advance(4_000)
            try await sweep(bench)
            // Of the first number its network and, for a day, its attempt; of the second nothing.
            #expect(try await valueLengths(bench) == [13])
            bench.clock.advance(100_000)
            try await sweep(bench)
            #expect(try await valueLengths(bench) == [7])
            bench.clock.advance(91 * 86_400)
            try await sweep(bench)
            #expect(try await keys(bench, "otp:1:n:*").isEmpty)
        }
    }

    @Test func `a value that is cut off stops its number alone, and starts no fresh counter`() async throws {
        try await withBench(.howru) { bench async throws in
            try await bench.request()
            let key = try #require(try await keys(bench, "otp:1:n:*").first)
            let field = try #require(
                try await bench.redis.send(["HKEYS", RedisArgument(key)]).arrayValue?.first?.bytes)
            _ = try await bench.redis.send(["HSET", RedisArgument(key), .bytes(field), .bytes([0x21, 1, 2])])
            await #expect(throws: ChallengeStoreFailure.self) { try await bench.request() }
            #expect(try await bench.request("+15551234568").result == .sent)
        }
    }

    private func sweep(_ bench: CodeBench) async throws {
        for bucket in Set(try await keys(bench, "otp:1:n:*").map { Int($0.dropFirst("otp:1:n:".count), radix: 16) }) {
            try await bench.store.sweep(bucket: try #require(bucket), now: bench.clock.now)
        }
    }

    private func keys(_ bench: CodeBench, _ pattern: String) async throws -> [String] {
        try await bench.redis.send(["KEYS", RedisArgument(pattern)]).arrayValue?.compactMap(\.text) ?? []
    }

    /// Of all numbers in buckets.
    private func valueLengths(_ bench: CodeBench) async throws -> [Int] {
        var lengths: [Int] = []
        for key in try await keys(bench, "otp:1:n:*") {
            let values = try await bench.redis.send(["HVALS", RedisArgument(key)]).arrayValue ?? []
            lengths += values.map { $0.bytes?.count ?? 0 }
        }
        return lengths
    }
}

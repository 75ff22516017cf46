import CryptoPrimitives
import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct NumberStateTests {
    /// The worked example of `number.lua`.
    @Test func `a number that asked once and signed in once takes 55 bytes`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            #expect(try await values(fixture).map(\.count) == [37])
            fixture.clock.advance(20)
            #expect(try await fixture.verify(code).result == .approved)
            let value = try #require(try await values(fixture).first)
            let form = """
                96 ce6b49d200 00 00
                91 92 a4........ cd5161
                91 99 00 00 a2.... a5.......... a2.... 00 01 c2 14
                92 94 00 02 00 a3...... 94 02 02 14 a3......
                """.filter { !$0.isWhitespace }
            #expect(zip(Hex.encode(value), form).allSatisfy { $1 == "." || $0 == $1 }, "\(Hex.encode(value))")
            #expect(value.count * 2 == form.count)
        }
    }

    @Test func `a long history moves to a key of its own and back`() async throws {
        try await withFixture(.generous) { fixture async throws in
            var code = ""
            for _ in 0..<30 { code = try await fixture.sentCode() }
            #expect(try await valueLengths(fixture).isEmpty)
            #expect(try await keys(fixture, "otp:2:l:*").count == 1)
            for number in 0..<4 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number)).result == .wrongCode)
            }
            #expect(try await fixture.verify(code).result == .approved)
            fixture.clock.advance(86_400)
            #expect(try await fixture.request().result == .sent)
            #expect(try await keys(fixture, "otp:2:l:*").isEmpty)
            #expect(try await valueLengths(fixture).count == 1)
        }
    }

    @Test func `sweeping leaves what counts and drops what does not`() async throws {
        try await withFixture(.howru) { fixture async throws in
            #expect(try await fixture.verify(try await fixture.sentCode()).result == .approved)
            try await fixture.request("+15551234568")
            try await sweep(fixture)
            #expect(try await valueLengths(fixture).sorted() == [37, 55])
            fixture.clock.advance(4_000)
            try await sweep(fixture)
            // Of the first number its network and, for a day, its attempt; of the second nothing.
            #expect(try await valueLengths(fixture) == [24])
            fixture.clock.advance(100_000)
            try await sweep(fixture)
            #expect(try await valueLengths(fixture) == [16])
            fixture.clock.advance(91 * 86_400)
            try await sweep(fixture)
            #expect(try await keys(fixture, "otp:2:n:*").isEmpty)
        }
    }

    @Test func `a value that is cut off stops its number alone, and starts no fresh counter`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await fixture.request()
            let key = try #require(try await keys(fixture, "otp:2:n:*").first)
            let field = try #require(
                try await fixture.redis.send(["HKEYS", RedisArgument(key)]).arrayValue?.first?.bytes)
            _ = try await fixture.redis.send(["HSET", RedisArgument(key), .bytes(field), .bytes([0x21, 1, 2])])
            await #expect(throws: ChallengeStoreFailure.self) { try await fixture.request() }
            #expect(try await fixture.request("+15551234568").result == .sent)
        }
    }

    private func sweep(_ fixture: CodeFixture) async throws {
        for bucket in Set(try await keys(fixture, "otp:2:n:*").map { Int($0.dropFirst("otp:2:n:".count), radix: 16) }) {
            try await fixture.store.sweep(bucket: try #require(bucket), now: fixture.clock.now)
        }
    }

    private func keys(_ fixture: CodeFixture, _ pattern: String) async throws -> [String] {
        try await fixture.redis.send(["KEYS", RedisArgument(pattern)]).arrayValue?.compactMap(\.text) ?? []
    }

    /// Returns the values of all numbers in buckets.
    private func values(_ fixture: CodeFixture) async throws -> [[UInt8]] {
        var all: [[UInt8]] = []
        for key in try await keys(fixture, "otp:2:n:*") {
            let values = try await fixture.redis.send(["HVALS", RedisArgument(key)]).arrayValue ?? []
            all += values.map { $0.bytes ?? [] }
        }
        return all
    }

    private func valueLengths(_ fixture: CodeFixture) async throws -> [Int] {
        try await values(fixture).map(\.count)
    }
}

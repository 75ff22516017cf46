import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(1))) struct ForgetNetworksTests {
    private static let home = "198.51.100.7"

    private func forget(_ bench: CodeBench, until: Int64? = nil, phone: String = CodeBench.phone) async throws {
        try await bench.routes.forgetNetworks(ForgetNetworksRequest(phone: phone, until: until ?? bench.clock.now))
    }

    private func signIn(
        _ bench: CodeBench, from address: String = home, phone: String = CodeBench.phone
    ) async throws {
        let code = try await bench.sentCode(phone, from: address)
        #expect(try await bench.verify(code, phone: phone, from: address).result == .approved)
    }

    /// Whether a request from home counts as the owner's.
    private func isKnown(_ bench: CodeBench, phone: String = CodeBench.phone) async throws -> Bool {
        #expect(try await bench.request(phone, from: Self.home).result == .sent)
        let newest = try await bench.redis.send(["XREVRANGE", .text(OTPAuditStream.key), "+", "-", "COUNT", 1])
        return newest.arrayValue?.first?.arrayValue?.last?.arrayValue?.last?.text == "known"
    }

    @Test func `a number is a stranger again where it signed in, and another number is not`() async throws {
        try await withBench(.generous) { bench async throws in
            try await signIn(bench)
            bench.clock.advance(86_400)
            try await forget(bench, phone: "+15551234568")
            #expect(try await isKnown(bench))
            try await forget(bench)
            #expect(try await !isKnown(bench))
            try await forget(bench)
        }
    }

    @Test func `a handset with two spellings is forgotten under either`() async throws {
        try await withBench(.generous) { bench async throws in
            let (one, other) = ("+5491123456789", "+541123456789")
            for account in [one, other] {
                try await signIn(bench, phone: one)
                #expect(try await isKnown(bench, phone: other))
                try await forget(bench, phone: account)
                #expect(try await !isKnown(bench, phone: one))
                bench.clock.advance(1)
            }
        }
    }

    @Test func `who has signed in since stays known, however late the word comes`() async throws {
        try await withBench(.generous) { bench async throws in
            let removal = bench.clock.now
            bench.clock.advance(86_400)
            try await signIn(bench)
            try await forget(bench, until: removal)
            #expect(try await isKnown(bench))
        }
    }

    @Test func `sends, guesses and lockouts stay`() async throws {
        try await withBench(.howru) { bench async throws in
            try await signIn(bench)
            let code = try await bench.sentCode(from: Self.home)
            for number in 0..<5 { _ = try await bench.verify(CodeBench.wrong(code, number), from: Self.home) }
            let before = try await values(bench)
            try await forget(bench)
            // As a stranger the number has its own counts; those of before are in the value all the same.
            let after = try await values(bench)
            #expect(after.count == 1 && after[0].count == before[0].count - 6)
            bench.clock.advance(1)
            try await signIn(bench)
            #expect(try await bench.request(from: Self.home).result == .rateLimited)
        }
    }

    @Test func `of a number of which nothing else is kept nothing is left`() async throws {
        try await withBench(.generous) { bench async throws in
            try await signIn(bench)
            bench.clock.advance(40 * 86_400)
            try await forget(bench)
            #expect(try await values(bench).isEmpty)
        }
    }

    @Test func `a number that never asked is no matter, and what is none is refused`() async throws {
        try await withBench { bench async throws in
            try await forget(bench)
            #expect(try await values(bench).isEmpty)
            for phone in ["", "nobody", "5551234567"] {
                await #expect(throws: InvalidCall.self) { try await forget(bench, phone: phone) }
            }
        }
    }

    /// What is kept of numbers.
    private func values(_ bench: CodeBench) async throws -> [[UInt8]] {
        var values: [[UInt8]] = []
        for key in try #require(try await bench.redis.send(["KEYS", "otp:1:[nl]:*"]).arrayValue).compactMap(\.text) {
            if key.hasPrefix("otp:1:l:") {
                values.append(try await bench.redis.send(["GET", RedisArgument(key)]).bytes ?? [])
            } else {
                values += try #require(try await bench.redis.send(["HVALS", RedisArgument(key)]).arrayValue)
                    .compactMap(\.bytes)
            }
        }
        return values
    }
}

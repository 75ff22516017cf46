import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(1))) struct ForgetNetworksTests {
    private static let home = "198.51.100.7"

    private func forget(_ fixture: CodeFixture, until: Int64? = nil, phone: String = CodeFixture.phone) async throws {
        try await fixture.routes.forgetNetworks(ForgetNetworksRequest(phone: phone, until: until ?? fixture.clock.now))
    }

    private func signIn(
        _ fixture: CodeFixture, from address: String = home, phone: String = CodeFixture.phone
    ) async throws {
        let code = try await fixture.sentCode(phone, from: address)
        #expect(try await fixture.verify(code, phone: phone, from: address).result == .approved)
    }

    /// Whether a request from home counts as the owner's.
    private func isKnown(_ fixture: CodeFixture, phone: String = CodeFixture.phone) async throws -> Bool {
        #expect(try await fixture.request(phone, from: Self.home).result == .sent)
        let newest = try await fixture.redis.send(["XREVRANGE", .text(OTPAuditStream.key), "+", "-", "COUNT", 1])
        return newest.arrayValue?.first?.arrayValue?.last?.arrayValue?.last?.text == "known"
    }

    @Test func `a number is a stranger again where it signed in, and another number is not`() async throws {
        try await withFixture(.generous) { fixture async throws in
            try await signIn(fixture)
            fixture.clock.advance(86_400)
            try await forget(fixture, phone: "+15551234568")
            #expect(try await isKnown(fixture))
            try await forget(fixture)
            #expect(try await !isKnown(fixture))
            try await forget(fixture)
        }
    }

    @Test func `a handset with two spellings is forgotten under either`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let (one, other) = ("+5491123456789", "+541123456789")
            for account in [one, other] {
                try await signIn(fixture, phone: one)
                #expect(try await isKnown(fixture, phone: other))
                try await forget(fixture, phone: account)
                #expect(try await !isKnown(fixture, phone: one))
                fixture.clock.advance(1)
            }
        }
    }

    @Test func `who has signed in since stays known, however late the word comes`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let removal = fixture.clock.now
            fixture.clock.advance(86_400)
            try await signIn(fixture)
            try await forget(fixture, until: removal)
            #expect(try await isKnown(fixture))
        }
    }

    @Test func `sends, guesses and lockouts stay`() async throws {
        try await withFixture(.howru) { fixture async throws in
            try await signIn(fixture)
            let code = try await fixture.sentCode(from: Self.home)
            for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number), from: Self.home) }
            let before = try await values(fixture)
            try await forget(fixture)
            // As a stranger the number has its own counts; those of before are in the value all the same.
            let after = try await values(fixture)
            #expect(after.count == 1 && after[0].count == before[0].count - 9)
            fixture.clock.advance(1)
            try await signIn(fixture)
            #expect(try await fixture.request(from: Self.home).result == .rateLimited)
        }
    }

    @Test func `of a number of which nothing else is kept nothing is left`() async throws {
        try await withFixture(.generous) { fixture async throws in
            try await signIn(fixture)
            fixture.clock.advance(40 * 86_400)
            try await forget(fixture)
            #expect(try await values(fixture).isEmpty)
        }
    }

    @Test func `a number that never asked is no matter, and what is none is refused`() async throws {
        try await withFixture { fixture async throws in
            try await forget(fixture)
            #expect(try await values(fixture).isEmpty)
            for phone in ["", "nobody", "5551234567"] {
                await #expect(throws: InvalidCall.self) { try await forget(fixture, phone: phone) }
            }
        }
    }

    /// What is kept of numbers.
    private func values(_ fixture: CodeFixture) async throws -> [[UInt8]] {
        var values: [[UInt8]] = []
        for key in try #require(try await fixture.redis.send(["KEYS", "otp:2:[nl]:*"]).arrayValue).compactMap(\.text) {
            if key.hasPrefix("otp:2:l:") {
                values.append(try await fixture.redis.send(["GET", RedisArgument(key)]).bytes ?? [])
            } else {
                values += try #require(try await fixture.redis.send(["HVALS", RedisArgument(key)]).arrayValue)
                    .compactMap(\.bytes)
            }
        }
        return values
    }
}

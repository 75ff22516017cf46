import Delivery
import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct ForgetNetworksTests {
    private static let home = "198.51.100.7"
    private static let address = "ann@example.com"

    private func forget(_ fixture: CodeFixture, until: Int64? = nil, phone: String = CodeFixture.phone) async throws {
        try await fixture.wiring.forgetNetworks(ForgetNetworksRequest(phone: phone, until: until ?? fixture.clock.now))
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
        return try await isNewestKnown(fixture)
    }

    private func isNewestKnown(_ fixture: CodeFixture) async throws -> Bool {
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
            // As an unrecognised client the number has its own counts; the earlier ones are still in the value.
            let after = try await values(fixture)
            #expect(after.count == 1 && after[0].count == before[0].count - 9)
            fixture.clock.advance(1)
            try await signIn(fixture)
            #expect(try await fixture.request(from: Self.home).result == .rateLimited)
        }
    }

    @Test func `a code from before a new password is void, and the next request sends a new one`() async throws {
        try await withFixture(.generous) { fixture async throws in
            func forget(until: Int64, codesUntil: Int64?) async throws {
                try await fixture.wiring.forgetNetworks(
                    ForgetNetworksRequest(
                        phone: CodeFixture.phone, email: Self.address, until: until, codesUntil: codesUntil))
            }
            let old = [try await fixture.sentCode(from: Self.home), try await sentMailCode(fixture)]
            let requestedAt = fixture.clock.now
            fixture.clock.advance(5)
            try await forget(until: 0, codesUntil: requestedAt - 1)
            #expect(try await [fixture.sentCode(from: Self.home), sentMailCode(fixture)] == old)
            try await forget(until: 0, codesUntil: requestedAt)
            #expect(try await fixture.verify(old[0], from: Self.home).result == .unknown)
            #expect(try await fixture.verifyMail(code: old[1], email: Self.address).result == .unknown)
            let new = [try await fixture.sentCode(from: Self.home), try await sentMailCode(fixture)]
            let phone = try fixture.attestation(try await fixture.verify(new[0], from: Self.home))
            let mail = try fixture.attestation(try await fixture.verifyMail(code: new[1], email: Self.address))
            #expect(phone.challengedAt == requestedAt + 5 && mail.challengedAt == requestedAt + 5)
        }
    }

    @Test func `a mailbox is a stranger after a reset where it signed in, and known after a change`() async throws {
        try await withFixture(.generous) { fixture async throws in
            func isKnown(until: Int64) async throws -> Bool {
                try await fixture.wiring.forgetNetworks(
                    ForgetNetworksRequest(email: Self.address, until: until, codesUntil: fixture.clock.now))
                _ = try await sentMailCode(fixture)
                return try await isNewestKnown(fixture)
            }
            let code = try await sentMailCode(fixture)
            #expect(try await fixture.verifyMail(code: code, email: Self.address).result == .approved)
            fixture.clock.advance(61)
            #expect(try await isKnown(until: 0))
            #expect(try await !isKnown(until: fixture.clock.now))
        }
    }

    private func sentMailCode(_ fixture: CodeFixture) async throws -> String {
        #expect(try await fixture.requestMail(Self.address).result == .sent)
        return try #require(fixture.mailSender.messages.last?.content.code)
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
                await #expect(throws: InvalidInput.self) { try await forget(fixture, phone: phone) }
            }
        }
    }

    /// Returns the stored values of phone numbers.
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

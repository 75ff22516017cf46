import InternalAPI
import Policies
import TestSupport
import Testing

@testable import OTPCore

/// A text that cannot be a code is a typing error, not a guess.
@Suite(.timeLimit(.minutes(5))) struct TypedCodeTests {
    private static let noCodes = [
        "", " ", "12345", "1234567", "12345a", "123456.", "12,34,56", "½23456", "code 123456", "\u{0}",
    ]

    @Test(arguments: noCodes)
    func `a text that cannot be a code is refused by its member`(_ text: String) async throws {
        try await withFixture(.howru) { fixture async throws in
            try await fixture.request()
            let invalid = await #expect(throws: InvalidInput.self) { try await fixture.verify(text) }
            #expect(invalid?.member == "code")
        }
    }

    @Test func `ten of them cost the number no attempt and lock nothing`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            for text in Self.noCodes { await #expect(throws: InvalidInput.self) { try await fixture.verify(text) } }
            #expect(try await fixture.verify(code).result == .approved)
        }
    }

    @Test func `they count for the client's address`() async throws {
        var policy = OTPPolicy.howru
        policy.attemptsPerAddress = [RateLimit(max: 3, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            let code = try await fixture.sentCode()
            for _ in 0..<3 { await #expect(throws: InvalidInput.self) { try await fixture.verify("") } }
            #expect(try await fixture.verify("").result == .tooManyAttempts)
            #expect(try await fixture.verify(code).result == .tooManyAttempts)
            #expect(try await fixture.verify(code, from: "203.0.113.9").result == .approved)
        }
    }

    @Test(arguments: ["123 456", "123-456", " 123456\n", "\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}", "１２３４５６"])
    func `a code in another spelling is a guess`(_ text: String) async throws {
        try await withFixture(.howru) { fixture async throws in
            try await fixture.request()
            let result = try await fixture.verify(text).result
            #expect(result == .wrongCode || result == .approved)
        }
    }

    @Test func `a typed code of a mail is judged alike`() async throws {
        try await withFixture { fixture async throws in
            let mail = try #require(fixture.wiring.mailCodes).codes(of: nil)
            let request = MailVerify(
                email: "ann@example.com", code: "12345", token: nil, verifier: nil, purpose: .signIn,
                address: "198.51.100.7", callID: CodeFixture.newCall())
            await #expect(throws: InvalidInput.self) { try await mail.verify(request) }
        }
    }

    @Test func `a region that does not exist is blamed, not the number`() async throws {
        try await withFixture { fixture async throws in
            let asked = await #expect(throws: InvalidInput.self) {
                try await fixture.request("98765 43210", region: "XX")
            }
            #expect(asked?.member == "region")
            // With a plus the region does not matter.
            #expect(try await fixture.request("+91 98765 43210", region: "XX").result == .sent)
            #expect(try await fixture.request("98765", region: "IN").result == .invalidPhone)
        }
    }
}

import CryptoPrimitives
import Delivery
import InternalAPI
import Policies
import Testing

@testable import OTPCore

/// Signing in by mail: a code and a link for one challenge.
@Suite(.timeLimit(.minutes(5))) struct MailTests {
    private static let address = "Ann.Lee@Example.com"
    private static let verifier = String(repeating: "v", count: 43)

    @Test func `the code of a mail proves the address`() async throws {
        try await withFixture { fixture async throws in
            #expect(try await fixture.requestMail(Self.address).result == .sent)
            let mail = try #require(fixture.mailSender.messages.last)
            #expect(mail.recipient == "ann.lee@example.com" && mail.channel == "email")
            #expect(mail.content.subject == "\(mail.content.code ?? "") is your Test code")
            #expect(mail.content.link == nil)
            let answer = try await fixture.verifyMail(code: mail.content.code ?? "", email: " ann.lee@example.COM")
            #expect(answer.result == .approved)
            let attestation = try fixture.attestation(answer)
            #expect(attestation.identity == VerifiedIdentity(kind: .email, value: "ann.lee@example.com"))
            #expect(attestation.method == "email")
            #expect(fixture.sender.messages.isEmpty)
        }
    }

    @Test func `a link opens for who asked, and for nobody else`() async throws {
        try await withFixture { fixture async throws in
            let token = try await fixture.sentToken(Self.address, verifier: Self.verifier)
            for number in 0..<20 {
                let other = "\(number)".padding(to: 43)
                #expect(try await fixture.verifyMail(token: token, verifier: other).result == .wrongCode)
            }
            for text in ["", "x", String(token.dropLast()), token + "A", String(repeating: "A", count: 600)] {
                #expect(try await fixture.verifyMail(token: text, verifier: Self.verifier).result == .wrongCode)
            }
            #expect(try await fixture.verifyMail(token: token, verifier: "short").result == .wrongCode)
            // None of it was a guess at the address.
            let answer = try await fixture.verifyMail(token: token, verifier: Self.verifier)
            #expect(answer.result == .approved)
            #expect(try fixture.attestation(answer).identity.value == "ann.lee@example.com")
        }
    }

    @Test func `links that are not ours count for the client's address`() async throws {
        var email = EmailPolicy()
        email.codes.attemptsPerAddress = [RateLimit(max: 3, windowSeconds: 3_600)]
        try await withFixture(email: email) { fixture async throws in
            for _ in 0..<3 {
                #expect(try await fixture.verifyMail(token: "x", verifier: Self.verifier).result == .wrongCode)
            }
            let refused = try await fixture.verifyMail(token: "x", verifier: Self.verifier)
            #expect(refused.result == .tooManyAttempts && refused.limit == .requests)
            let elsewhere = try await fixture.verifyMail(token: "x", verifier: Self.verifier, from: "203.0.113.9")
            #expect(elsewhere.result == .wrongCode)
        }
    }

    @Test func `code and link are one challenge: either spends both`() async throws {
        try await withFixture { fixture async throws in
            let token = try await fixture.sentToken(Self.address, verifier: Self.verifier)
            let code = try #require(fixture.mailSender.messages.last?.content.code)
            let first = try await fixture.verifyMail(code: code, email: Self.address)
            // As a code presented twice: for a minute the same proof, then none.
            let second = try await fixture.verifyMail(token: token, verifier: Self.verifier)
            #expect(try fixture.attestation(first).proofID == fixture.attestation(second).proofID)
            fixture.clock.advance(61)
            #expect(try await fixture.verifyMail(token: token, verifier: Self.verifier).result == .used)
        }
    }

    @Test func `a resend repeats the code, and each link holds for its own asker`() async throws {
        try await withFixture { fixture async throws in
            let first = try await fixture.sentToken(Self.address, verifier: Self.verifier)
            let code = try #require(fixture.mailSender.messages.last?.content.code)
            let other = "w".padding(to: 64)
            let second = try await fixture.sentToken(Self.address, verifier: other)
            #expect(fixture.mailSender.messages.last?.content.code == code)
            #expect(try await fixture.verifyMail(token: second, verifier: Self.verifier).result == .wrongCode)
            #expect(try await fixture.verifyMail(token: first, verifier: Self.verifier).result == .approved)
            #expect(try await fixture.verifyMail(token: second, verifier: other).result == .approved)
        }
    }

    @Test func `the link of an earlier challenge is nobody's, and costs the present one no guess`() async throws {
        try await withFixture { fixture async throws in
            let old = try await fixture.sentToken(Self.address, verifier: Self.verifier)
            fixture.clock.advance(601)
            #expect(try await fixture.verifyMail(token: old, verifier: Self.verifier).result == .expired)
            _ = try await fixture.requestMail(Self.address)
            for _ in 0..<10 {
                #expect(try await fixture.verifyMail(token: old, verifier: Self.verifier).result == .wrongCode)
            }
            let code = try #require(fixture.mailSender.messages.last?.content.code)
            #expect(try await fixture.verifyMail(code: code, email: Self.address).result == .approved)
        }
    }

    @Test func `five wrong codes lock code and link`() async throws {
        try await withFixture { fixture async throws in
            let token = try await fixture.sentToken(Self.address, verifier: Self.verifier)
            let code = try #require(fixture.mailSender.messages.last?.content.code)
            for number in 0..<5 {
                let wrong = CodeFixture.wrong(code, number)
                #expect(try await fixture.verifyMail(code: wrong, email: Self.address).result == .wrongCode)
            }
            #expect(try await fixture.verifyMail(token: token, verifier: Self.verifier).result == .tooManyAttempts)
            #expect(try await fixture.verifyMail(code: code, email: Self.address).result == .tooManyAttempts)
        }
    }

    @Test func `a thousand tags of one mailbox get what one address gets`() async throws {
        try await withFixture { fixture async throws in
            for number in 0..<1_000 { _ = try await fixture.requestMail("a.n.n+\(number)@gmail.com") }
            #expect(fixture.mailSender.messages.count == 3, "one network's share of five")
            for number in 0..<9 {
                #expect(
                    try await fixture.requestMail("ann@googlemail.com", from: "203.0.\(number).1").result == .sent)
            }
            #expect(fixture.mailSender.messages.count == 5)
            #expect(try await fixture.requestMail("ann@example.com", from: "203.0.113.1").result == .sent)
        }
    }

    @Test func `a used up quota shows nowhere but at the client's own address`() async throws {
        var email = EmailPolicy()
        email.codes.sendsPerAddress = [RateLimit(max: 20, windowSeconds: 3_600)]
        try await withFixture(email: email) { fixture async throws in
            let code = try await { () async throws in
                _ = try await fixture.requestMail(Self.address)
                return try #require(fixture.mailSender.messages.last?.content.code)
            }()
            #expect(
                try await fixture.verifyMail(code: code, email: Self.address, from: "192.0.2.1").result == .approved)
            // Unrecognised clients use up their limit; from the owner's network and from theirs the responses are alike.
            for number in 0..<20 { _ = try await fixture.requestMail(Self.address, from: "203.0.\(number).1") }
            #expect(fixture.mailSender.messages.count == 5)
            for client in ["192.0.2.1", "203.0.113.99"] {
                for _ in 0..<19 { #expect(try await fixture.requestMail(Self.address, from: client).result == .sent) }
            }
            #expect(fixture.mailSender.messages.count == 10)
            for number in 0..<40 { _ = try await fixture.requestMail("u\(number)@x.io", from: "203.0.113.99") }
            #expect(try await fixture.requestMail(Self.address, from: "203.0.113.99").result == .rateLimited)
            #expect(try await fixture.requestMail("nobody@x.io", from: "203.0.113.99").result == .rateLimited)
        }
    }

    @Test(arguments: [
        "", "ann", "a@b", "ann@example.com, bob@example.com", "Ann <ann@example.com>", "a\r\nBcc: b@x.io@x.io",
        "a\0@x.io", "a\u{200B}@x.io",
    ])
    func `what is no address gets no mail`(_ text: String) async throws {
        try await withFixture { fixture async throws in
            #expect(try await fixture.requestMail(text).result == .invalidEmail)
            #expect(try await fixture.verifyMail(code: "123456", email: text).result == .invalidEmail)
            #expect(fixture.mailSender.messages.isEmpty)
        }
    }

    @Test func `a challenge that is no SHA-256 is refused before anything is counted`() async throws {
        try await withFixture { fixture async throws in
            await #expect(throws: InvalidInput.self) { try await fixture.requestMail(Self.address, challenge: "short") }
            #expect(fixture.mailSender.messages.isEmpty)
        }
    }

    @Test func `an address and a number with one code know nothing of each other`() async throws {
        try await withFixture { fixture async throws in
            let code = try await fixture.sentCode()
            #expect(try await fixture.verifyMail(code: code, email: Self.address).result == .unknown)
            #expect(try await fixture.verify(code).result == .approved)
        }
    }
}

extension CodeFixture {
    @discardableResult
    func requestMail(
        _ email: String, challenge: String? = nil, locales: [String] = [], from address: String = "198.51.100.7",
        in dialect: String? = nil, redirect: String? = nil, isUnwelcome: Bool? = nil
    ) async throws -> OTPRequestAnswer {
        let request = MailRequest(
            email: email, challenge: challenge, purpose: .signIn, dialect: dialect, redirect: redirect,
            isUnwelcome: isUnwelcome, locales: locales, address: address, callID: Self.newCall())
        return try await #require(wiring.mailCodes).codes(of: dialect).request(request)
    }

    /// Asks for a mail with a link, and returns the link's token.
    fileprivate func sentToken(_ email: String, verifier: String) async throws -> String {
        let challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
        #expect(try await requestMail(email, challenge: challenge).result == .sent)
        let link = try #require(mailSender.messages.last?.content.link)
        #expect(link.hasPrefix("https://auth.test/auth/magic-link?token="))
        return String(link.split(separator: "=")[1])
    }

    func verifyMail(
        code: String? = nil, email: String? = nil, token: String? = nil, verifier: String? = nil,
        from address: String = "198.51.100.7", in dialect: String? = nil
    ) async throws -> OTPVerifyAnswer {
        try await #require(wiring.mailCodes).codes(of: dialect).verify(
            MailVerify(
                email: email, code: code, token: token, verifier: verifier, purpose: .signIn, dialect: dialect,
                address: address, callID: Self.newCall()))
    }
}

extension String {
    fileprivate func padding(to count: Int) -> String { self + String(repeating: "-", count: count - utf8.count) }
}

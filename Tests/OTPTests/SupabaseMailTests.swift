import CryptoPrimitives
import Delivery
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import OTPCore

/// Mails of the dialect `supabase`, whose codes and links are valid there alone.
@Suite(.timeLimit(.minutes(5))) struct SupabaseMailTests {
    private static let address = "ann@example.com"
    private static let verifier = String(repeating: "v", count: 43)
    private static let challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
    private static let redirect = "https://app.test/back?x=1&sb_flow_id=a"

    @Test func `a code is valid only in the dialect that requested it`() async throws {
        try await withFixture { fixture async throws in
            _ = try await fixture.requestMail(Self.address, in: Dialect.supabase)
            let code = try #require(fixture.mailSender.messages.last?.content.code)
            #expect(try await fixture.verifyMail(code: code, email: Self.address).result != .approved)
            let answer = try await fixture.verifyMail(code: code, email: Self.address, in: Dialect.supabase)
            #expect(answer.result == .approved)
        }
    }

    @Test func `a link leads back to the app, and opens with its verifier in its dialect`() async throws {
        try await withFixture { fixture async throws in
            _ = try await fixture.requestMail(
                Self.address, challenge: Self.challenge, in: Dialect.supabase, redirect: Self.redirect)
            let link = try #require(fixture.mailSender.messages.last?.content.link)
            let parts = link.split(separator: "&")
            #expect(link.hasPrefix("https://auth.test/auth/v1/verify?token=") && parts.count == 3)
            #expect(parts[1] == "type=magiclink")
            #expect(parts[2] == "redirect_to=https%3A%2F%2Fapp.test%2Fback%3Fx%3D1%26sb_flow_id%3Da")
            let token = String(try #require(parts[0].split(separator: "=").last))
            #expect(try await fixture.verifyMail(token: token, verifier: Self.verifier).result != .approved)
            let other = String(repeating: "w", count: 43)
            let wrong = try await fixture.verifyMail(token: token, verifier: other, in: Dialect.supabase)
            #expect(wrong.result == .wrongCode)
            let right = try await fixture.verifyMail(token: token, verifier: Self.verifier, in: Dialect.supabase)
            #expect(right.result == .approved)
        }
    }

    @Test func `without an address of the app a mail has a code and no link`() async throws {
        try await withFixture { fixture async throws in
            _ = try await fixture.requestMail(Self.address, challenge: Self.challenge, in: Dialect.supabase)
            let mail = try #require(fixture.mailSender.messages.last?.content)
            #expect(mail.link == nil && mail.code != nil)
        }
    }

    @Test func `a stranger gets no mail and the same answer`() async throws {
        try await withFixture { fixture async throws in
            let answer = try await fixture.requestMail(Self.address, in: Dialect.supabase, isUnwelcome: true)
            #expect(answer == OTPRequestAnswer(.sent) || answer.result == .suppressed)
            #expect(fixture.mailSender.messages.isEmpty)
        }
    }

    @Test func `bound codes have places of their own in each dialect`() throws {
        let bound: [Purpose] = [.identity, .reauthentication]
        for purpose in bound {
            let own = try #require(ChallengePlace(purpose, of: "usr_1", in: Dialect.supabase))
            let native = try #require(ChallengePlace(purpose, of: "usr_1", in: Dialect.native))
            #expect(own.number != native.number && own.name != native.name)
        }
        #expect(ChallengePlace(.merge, of: "usr_1", in: Dialect.supabase) == nil)
        #expect(ChallengePlace(.deletion, in: Dialect.supabase) == nil)
    }

    @Test func `mails about accounts have the code, and a link only with its verifier's challenge`() throws {
        let letter = NoticeLetter(appName: "Test", catalog: .english, baseURL: "https://auth.test")
        let token = Base64URL.encode([UInt8](repeating: 7, count: 32))
        func notice(_ back: MailReturn?, token: String?) -> MailNotice {
            MailNotice(
                id: "1", to: Self.address, kind: .passwordReset, at: 0, token: token, code: "012345", back: back)
        }
        let native = notice(nil, token: token)
        #expect(native.hasFittingToken && letter.written(native).text.contains("012345"))
        #expect(letter.written(native).link == "https://auth.test/auth/reset-password?token=\(token)")
        let back = MailReturn(challenge: Self.challenge, redirect: "https://app.test/back")
        let written = letter.written(notice(back, token: token))
        #expect(written.link?.contains("/auth/v1/verify?token=\(token)&type=recovery&") == true)
        let codeOnly = notice(MailReturn(), token: nil)
        #expect(codeOnly.hasFittingToken && letter.written(codeOnly).link == nil)
        #expect(!notice(nil, token: nil).hasFittingToken, "a page's link is needed")
        var stray = codeOnly
        stray.code = "12<45>"
        #expect(!stray.hasFittingToken)
    }
}

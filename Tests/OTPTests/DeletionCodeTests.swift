import Delivery
import InternalAPI
import Policies
import Testing

@testable import OTPCore

/// Codes that delete an account are good for nothing else.
@Suite(.timeLimit(.minutes(5))) struct DeletionCodeTests {
    private func verify(_ code: String, _ purpose: Purpose, _ fixture: CodeFixture) async throws -> OTPVerifyAnswer {
        try await fixture.phones.codes(of: nil).verify(
            OTPVerify(
                phone: CodeFixture.phone, region: nil, code: code, purpose: purpose, address: "198.51.100.7",
                signedInPhone: nil, callID: CodeFixture.newCall()))
    }

    @Test func `a code for a deletion signs nobody in, and the other way round`() async throws {
        try await withFixture { fixture async throws in
            let signIn = try await fixture.sentCode()
            let request = OTPRequest(
                phone: CodeFixture.phone, region: nil, purpose: .deletion, address: "198.51.100.7",
                callID: CodeFixture.newCall())
            #expect(try await fixture.phones.codes(of: nil).request(request).result == .sent)
            let deletion = try #require(fixture.sender.messages.last?.content.code)
            #expect(deletion != signIn)
            #expect(try await verify(deletion, .signIn, fixture).result == .wrongCode)
            #expect(try await verify(signIn, .deletion, fixture).result == .wrongCode)
            let answer = try await verify(deletion, .deletion, fixture)
            #expect(answer.result == .approved)
            #expect(try fixture.attestation(answer).purpose == .deletion)
            #expect(try fixture.attestation(try await verify(signIn, .signIn, fixture)).purpose == .signIn)
        }
    }

    @Test func `such codes are the native dialect's alone`() {
        #expect(ChallengePlace(.deletion, in: Dialect.native)?.number == 5)
        #expect(ChallengePlace(.deletion, in: Dialect.aarokya) == nil)
    }

    @Test func `the mail says what the code does`() async throws {
        try await withFixture { fixture async throws in
            let request = MailRequest(
                email: "ann@example.com", challenge: nil, purpose: .deletion, locales: [], address: "198.51.100.7",
                callID: CodeFixture.newCall())
            #expect(try await fixture.wiring.mailCodes?.codes(of: nil).request(request).result == .sent)
            let mail = try #require(fixture.mailSender.messages.last?.content)
            #expect(mail.subject?.hasSuffix("is the code to delete your Test account") == true)
            #expect(mail.text.contains("it deletes your account") && mail.link == nil && !mail.text.contains("Sign in"))
        }
    }
}

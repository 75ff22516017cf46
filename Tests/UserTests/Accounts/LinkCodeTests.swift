import CryptoPrimitives
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// The codes beside the links that confirm a registration and reset a password.
@Suite(.timeLimit(.minutes(5)), .accounts) struct LinkCodeTests {
    private let accounts: AccountFixture
    private static let new = "quite another one"
    private static let verifier = String(repeating: "v", count: 43)
    private static let challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))

    init() throws { accounts = try AccountFixture.ofTest }

    private func request(
        _ code: String, at email: String = AccountFixture.address, password: String? = nil, signsIn: Bool = true,
        call: String = AccountFixture.newCall()
    ) -> AccountLinkRequest {
        AccountLinkRequest(
            email: email, code: code, signsIn: signsIn ? true : nil, password: password,
            address: AccountFixture.client, callID: call)
    }

    private func recover(_ request: AccountLinkRequest) async throws -> AccountAnswer {
        try await Recover(accounts: accounts.parts)(request)
    }

    private func forgotten(_ back: MailReturn? = nil) async throws -> MailNotice {
        _ = try await MailAccountLink(accounts: accounts.parts).forgotPassword(
            AccountMailRequest(
                email: AccountFixture.address, locales: [], address: AccountFixture.client,
                callID: AccountFixture.newCall(), back: back))
        return try #require(try await accounts.mails().last { $0.kind == .passwordReset })
    }

    @Test func `a registration is confirmed by its code once, and signs in`() async throws {
        _ = try await accounts.register(byLink: true)
        let code = try #require(try await accounts.mails().first?.code)
        let confirm = ConfirmRegistration(accounts: accounts.parts)
        let sent = request(code)
        let answer = try await confirm(sent, requestID: nil)
        #expect(answer.result == .done)
        let resolved = try await accounts.resolve(answer.proof).answered
        #expect(resolved.user.email == AccountFixture.address)
        #expect(try await confirm(sent, requestID: nil) == answer, "a lost response")
        #expect(try await confirm(request(code), requestID: nil).result == .invalidLink)
        #expect(try await accounts.signIn() != nil)
    }

    @Test func `a native code needs the password, as its link does`() async throws {
        _ = try await accounts.register()
        let code = try #require(try await accounts.mails().first?.code)
        let confirm = ConfirmRegistration(accounts: accounts.parts)
        #expect(try await confirm(request(code), requestID: nil).result == .wrongPassword)
        let right = request(code, password: AccountFixture.password, signsIn: false)
        let answer = try await confirm(right, requestID: nil)
        #expect(answer.result == .done && answer.proof == nil)
    }

    @Test func `a recovery code opens one session and sets no password`() async throws {
        _ = try await accounts.user()
        let code = try #require(try await forgotten().code)
        #expect(
            try await ConfirmRegistration(accounts: accounts.parts)(request(code), requestID: nil).result
                == .invalidLink)
        #expect(try await recover(request(code, at: "bob@example.com")).result == .invalidLink)
        let answer = try await recover(request(code))
        _ = try await accounts.resolve(answer.proof).answered
        #expect(try await recover(request(code)).result == .invalidLink)
        let reset = request(code, password: Self.new, signsIn: false)
        #expect(try await ResetPassword(accounts: accounts.parts)(reset, requestID: nil).result == .invalidLink)
        #expect(try await accounts.signIn() != nil, "the old password is still valid")
    }

    @Test func `a recovery proof is void after a change of the password`() async throws {
        let user = try await accounts.user()
        let code = try #require(try await forgotten().code)
        let answer = try await recover(request(code))
        #expect(try await accounts.change(user, to: Self.new) == .answer(AccountAnswer(.done)))
        #expect(try await accounts.resolve(answer.proof) == .refused(.attestationRefused))
    }

    @Test func `five wrong codes lock the address, with an account or without`() async throws {
        _ = try await accounts.user()
        let code = try #require(try await forgotten().code)
        let wrong = code == "000000" ? "000001" : "000000"
        for address in [AccountFixture.address, "nobody@example.com"] {
            for _ in 0..<5 { #expect(try await recover(request(wrong, at: address)).result == .invalidLink) }
            let locked = try await recover(request(code, at: address))
            #expect(locked.result == .rateLimited && locked.retryAfterSeconds == 30)
        }
        accounts.users.clock.advance(seconds: 31)
        #expect(try await recover(request(code)).result == .done)
    }

    @Test func `one client tries the codes of few addresses`() async throws {
        var policy = PasswordPolicy()
        policy.attempts.perAddress = RateLimit(max: 3, windowSeconds: 3_600)
        try await withAccounts(policy) { fixture async throws in
            let recover = Recover(accounts: fixture.parts)
            for number in 0..<5 {
                let answer = try await recover(request("000000", at: "user\(number)@example.com"))
                #expect(answer.result == (number < 3 ? .invalidLink : .rateLimited))
            }
        }
    }

    @Test func `a code expires with its link's life`() async throws {
        _ = try await accounts.user()
        let code = try #require(try await forgotten().code)
        accounts.users.clock.advance(seconds: 901)
        #expect(try await recover(request(code)).result == .invalidLink)
    }

    @Test func `a link of a challenge opens only with its verifier`() async throws {
        _ = try await accounts.user()
        let back = MailReturn(challenge: Self.challenge, redirect: "https://app.test/back")
        let token = try #require(try await forgotten(back).token)
        func link(_ verifier: String?) -> AccountLinkRequest {
            AccountLinkRequest(
                token: token, verifier: verifier, signsIn: true, password: nil, address: AccountFixture.client,
                callID: AccountFixture.newCall())
        }
        #expect(try await recover(link(nil)).result == .invalidLink)
        #expect(try await recover(link(String(repeating: "w", count: 43))).result == .invalidLink)
        #expect(try await accounts.reset(token, Self.new).result == .invalidLink)
        #expect(try await recover(link(Self.verifier)).result == .done)
    }

    @Test func `without a challenge the mail has a code alone`() async throws {
        _ = try await accounts.user()
        let mail = try await forgotten(MailReturn(redirect: "https://app.test/back"))
        #expect(mail.token == nil && mail.code != nil)
    }

    @Test func `a recovery session sets one password within ten minutes`() {
        func may(_ age: Int64, changedAt: Int64? = nil, recovered: Bool = true, authenticated: Int64 = 1_000) -> Bool? {
            RecoverySession.maySetPassword(
                SessionAuthentication(
                    authenticatedAt: authenticated, factors: .email, latestFactors: .email,
                    recoveredAt: recovered ? 1_000 : nil), changedAt: changedAt, now: 1_000 + age)
        }
        #expect(may(0) == true && may(599) == true && may(600) == false)
        #expect(may(10, changedAt: 900) == true && may(10, changedAt: 1_005) == false)
        #expect(may(10, recovered: false) == nil && may(700, authenticated: 1_500) == nil)
    }
}

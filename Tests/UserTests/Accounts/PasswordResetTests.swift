import InternalAPI
import Policies
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// A password by a mailed link: a forgotten one, or the first.
@Suite(.timeLimit(.minutes(5)), .accounts) struct PasswordResetTests {
    private let accounts: AccountFixture
    private static let new = "quite another one"

    init() throws { accounts = try AccountFixture.ofTest }

    @Test func `a reset ends all sessions at once, voids the old password, and tells the owner`() async throws {
        try await withAccounts(ends: .others) { accounts async throws in
            let user = try await accounts.user()
            let proof = try await accounts.prove().proof
            _ = try await accounts.forgot()
            let token = try await accounts.token(.passwordReset)
            #expect(try await accounts.reset(token, Self.new).result == .done)
            let ended = try #require(accounts.users.tokenService.revocations.first)
            // A reset revokes every session, whatever the policy says about changes.
            #expect(ended.reason == .passwordChange && ended.sparedSession == nil && ended.epoch == 2)
            #expect(try await accounts.resolve(proof) == .refused(.attestationRefused))
            #expect(try await accounts.signIn() == nil)
            #expect(try await accounts.signIn(Self.new)?.user.id == user.id.text(prefix: UserFixture.prefix))
            #expect(try await accounts.mails().map(\.kind) == [.passwordChanged])
            #expect(try await accounts.users.auditEvents() == ["user.created", "user.password_reset"])
            #expect(try await accounts.reset(token, "one more of them").result == .invalidLink)
        }
    }

    @Test func `a link opens for fifteen minutes, and the next reset ends all others`() async throws {
        _ = try await accounts.user()
        var tokens: [String] = []
        for _ in 0..<2 {
            accounts.users.clock.advance(seconds: 180)
            _ = try await accounts.forgot()
            tokens.append(try await accounts.token(.passwordReset))
        }
        #expect(try await accounts.confirm(tokens[0], Self.new).result == .invalidLink)
        accounts.users.clock.advance(seconds: 899)
        #expect(try await accounts.reset(tokens[1], Self.new).result == .done)
        #expect(try await accounts.reset(tokens[0], "one more of them").result == .invalidLink)
        accounts.users.clock.advance(seconds: 3_600)
        _ = try await accounts.mails()
        _ = try await accounts.forgot()
        let late = try await accounts.token(.passwordReset)
        accounts.users.clock.advance(seconds: 900)
        #expect(try await accounts.reset(late, "one more of them").result == .invalidLink)
        #expect(try await accounts.signIn(Self.new) != nil)
    }

    @Test func `the page of a reset link is told the address while the link is good, and of no other link`()
        async throws
    {
        let page = ReadResetLink(accounts: accounts.parts)
        func address(_ token: String) async throws -> String? {
            try await page(ResetLinkRequest(token: token)).email
        }
        _ = try await accounts.register()
        let confirmation = try await accounts.token(.confirmRegistration)
        #expect(try await address(confirmation) == nil)
        #expect(try await accounts.confirm(confirmation).result == .done)
        _ = try await accounts.forgot()
        let token = try await accounts.token(.passwordReset)
        for _ in 0..<2 { #expect(try await address(token) == AccountFixture.address) }
        for other in ["", "AA", token + "A", LinkSecret.random(suffices: false).text] {
            #expect(try await address(other) == nil)
        }
        #expect(try await accounts.reset(token, Self.new).result == .done)
        #expect(try await address(token) == nil)
        _ = try await accounts.mails()
        accounts.users.clock.advance(seconds: 180)
        _ = try await accounts.forgot()
        let late = try await accounts.token(.passwordReset)
        accounts.users.clock.advance(seconds: 900)
        #expect(try await address(late) == nil)
    }

    @Test func `of fifty uses of a link one sets its password`() async throws {
        _ = try await accounts.user()
        _ = try await accounts.forgot()
        let token = try await accounts.token(.passwordReset)
        let results = try await concurrently(50) { number in
            try await patiently { try await accounts.reset(token, "quite another one \(number)").result }
        }
        #expect(results.filter { $0 == .done }.count == 1)
        #expect(results.filter { $0 == .invalidLink }.count == 49)
        var opens = 0
        accounts.users.clock.advance(seconds: 3_600)
        for number in 0..<50 where opens == 0 {
            // Each wrong one counts: from a network of its own.
            let answer = try await accounts.prove("quite another one \(number)", from: GuessFixture.network(number))
            if answer.result == .proved { opens += 1 }
        }
        #expect(opens == 1)
        #expect(try await accounts.users.auditEvents() == ["user.created", "user.password_reset"])
        #expect(accounts.users.tokenService.revocations.count == 1)
    }

    @Test func `an unknown address has no mail, an open registration its link again, both the same answer`()
        async throws
    {
        #expect(try await accounts.forgot("nobody@example.com") == AccountAnswer(.done))
        #expect(try await accounts.resend("nobody@example.com") == AccountAnswer(.done))
        #expect(try await accounts.mails().isEmpty)
        _ = try await accounts.register()
        let first = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.forgot() == AccountAnswer(.done))
        let second = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.confirm(first).result == .invalidLink)
        #expect(try await accounts.confirm(second).result == .done)
        #expect(try await accounts.resend() == AccountAnswer(.done))
        #expect(try await accounts.mails().isEmpty)
    }

    @Test func `who signed up by mail sets his first password by the link`() async throws {
        let user = try await accounts.users.signedIn(VerifiedIdentity(kind: .email, value: AccountFixture.address))
        #expect(try await accounts.signIn() == nil)
        _ = try await accounts.forgot()
        let token = try await accounts.token(.passwordReset)
        #expect(try await accounts.reset(token, Self.new).result == .done)
        #expect(try await accounts.signIn(Self.new)?.user.id == user.id.text(prefix: UserFixture.prefix))
    }

    /// The address is unverified: the owner of the mailbox gets the whole account, and the person who registered it
    /// nothing.
    @Test func `a reset takes an account over that has nothing but the claimed address`() async throws {
        let claimant = try await accounts.users.signedIn("+15551234567")
        try await accounts.users.store.claim(AccountFixture.address, for: claimant.id)
        // While it has a number too, a link to the address opens nothing of it.
        _ = try await accounts.forgot()
        #expect(try await accounts.mails().isEmpty)
        try await accounts.users.execute("DELETE FROM identities")
        accounts.users.clock.advance(seconds: 180)
        _ = try await accounts.forgot()
        let token = try await accounts.token(.passwordReset)
        #expect(try await accounts.reset(token, Self.new).result == .done)
        #expect(accounts.users.tokenService.revocations.map(\.reason) == [.takenOver])
        let user = try #require(try await accounts.users.store.user(claimant.id))
        #expect(user.email == AccountFixture.address && user.epoch == 2)
        #expect(try await accounts.signIn(Self.new) != nil)
    }

    @Test func `who was locked gets no link, and one from before opens nothing`() async throws {
        _ = try await accounts.user()
        _ = try await accounts.forgot()
        let token = try await accounts.token(.passwordReset)
        try await accounts.users.execute("UPDATE users SET is_active = 0")
        accounts.users.clock.advance(seconds: 180)
        #expect(try await accounts.forgot() == AccountAnswer(.done))
        #expect(try await accounts.mails().isEmpty)
        #expect(try await accounts.reset(token, Self.new).result == .invalidLink)
    }

    @Test func `a reset lets in whoever guesses at the old one had shut out`() async throws {
        _ = try await accounts.user()
        for _ in 0..<10 { _ = try await accounts.prove(AccountFixture.other) }
        #expect(try await accounts.prove().result == .rateLimited)
        _ = try await accounts.forgot()
        #expect(try await accounts.reset(try await accounts.token(.passwordReset), Self.new).result == .done)
        accounts.users.clock.advance(seconds: 1)
        #expect(try await accounts.prove(Self.new).result == .proved)
    }

    @Test func `while token-service is away the new password holds, and the answer says that sessions may live`()
        async throws
    {
        _ = try await accounts.user()
        _ = try await accounts.forgot()
        let token = try await accounts.token(.passwordReset)
        accounts.users.tokenService.setAway(true)
        let call = AccountFixture.newCall()
        for _ in 0..<3 {
            #expect(try await accounts.reset(token, Self.new, call: call).result == .changePending)
        }
        #expect(try await accounts.signIn(Self.new) != nil)
        #expect(try await accounts.signIn() == nil)
        accounts.users.tokenService.setAway(false)
        #expect(try await accounts.reset(token, Self.new, call: call).result == .done)
        #expect(accounts.users.tokenService.revocations.count == 1)
    }

    /// Section 4 of the design: account links are void after a restore.
    @Test func `a restored file opens no link that it holds`() async throws {
        _ = try await accounts.user()
        _ = try await accounts.forgot()
        let token = try await accounts.token(.passwordReset)
        let restored = try await accounts.users.restored()
        let store = Users(database: restored)
        let secret = try #require(LinkSecret(token))
        let question = UserQuestion(.link(hash: secret.hash), call: nil, askedAt: accounts.users.clock.seconds)
        #expect(try await accounts.users.store.facts(question).link != nil)
        #expect(try await store.facts(question).link == nil)
    }
}

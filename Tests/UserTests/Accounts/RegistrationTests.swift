import InternalAPI
import Policies
import RedisClient
import Storage
import TestSupport
import Testing

@testable import UserCore

/// How an account with a password begins, and whose it is.
@Suite(.timeLimit(.minutes(5)), .accounts) struct RegistrationTests {
    private let accounts: AccountFixture
    private let address = AccountFixture.address

    init() throws { accounts = try AccountFixture.ofTest }

    @Test func `a registration is no user until its link and its password come together`() async throws {
        #expect(try await accounts.register(" Ann@Example.COM ", name: " Ann ").result == .done)
        #expect(try await accounts.rows() == ["registrations": 1, "account_links": 2])
        #expect(try await accounts.prove().result == .invalidCredentials)
        let token = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.confirm(token, "another password").result == .wrongPassword)
        #expect(try await accounts.confirm(token).result == .done)
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
        let answer = try #require(try await accounts.signIn())
        #expect(answer.user.email == address && answer.user.name == "Ann" && answer.user.role == "user")
        #expect(!answer.isNewUser)
        #expect(try await accounts.users.auditEvents() == ["user.created"])
    }

    @Test func `the link opens once, for a day, and for nothing else`() async throws {
        _ = try await accounts.register()
        let first = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.reset(first, "some new password").result == .invalidLink)
        accounts.users.clock.advance(seconds: 86_399)
        #expect(try await accounts.confirm(first, "another password").result == .wrongPassword)
        accounts.users.clock.advance(seconds: 1)
        #expect(try await accounts.confirm(first).result == .invalidLink)
        #expect(try await accounts.resend().result == .done)
        let second = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.confirm(first).result == .invalidLink)
        #expect(try await accounts.confirm(second).result == .done)
        #expect(try await accounts.confirm(second).result == .invalidLink)
        for odd in ["", "x", String(repeating: "A", count: 43), String(second.dropLast()), second + "A"] {
            #expect(try await accounts.confirm(odd).result == .invalidLink)
        }
    }

    @Test func `the owner of a known address alone is told that somebody registered with it`() async throws {
        _ = try await accounts.user()
        let before = try await accounts.rows()
        let answer = try await accounts.register(AccountFixture.address, "quite another one")
        #expect(answer == AccountAnswer(.done))
        #expect(try await accounts.mails().map(\.kind) == [.addressKnown])
        #expect(try await accounts.rows() == before)
        #expect(try await accounts.signIn("quite another one") == nil)
    }

    @Test func `the owner of an account that waits for deletion is told so`() async throws {
        let user = try await accounts.user()
        _ = try await accounts.users.deletion()(user, requestID: nil)
        _ = try await accounts.register(AccountFixture.address, "quite another one")
        let notice = try #require(try await accounts.mails().last { $0.kind == .addressKnown })
        #expect(notice.deletionAt == accounts.users.clock.seconds + 30 * 86_400)
    }

    /// Somebody registers with another person's address; whatever its owner clicks, only the owner gets in.
    @Test func `the owner confirms no stranger's registration, and his own ends it`() async throws {
        _ = try await accounts.register(AccountFixture.address, "the stranger's own")
        let strangers = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.confirm(strangers).result == .wrongPassword)
        #expect(try await accounts.rows()["users"] == nil)
        _ = try await accounts.register()
        let own = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.confirm(own, "the stranger's own").result == .wrongPassword)
        #expect(try await accounts.confirm(own).result == .done)
        #expect(try await accounts.confirm(strangers, "the stranger's own").result == .invalidLink)
        #expect(try await accounts.signIn("the stranger's own") == nil)
        #expect(try await accounts.signIn() != nil)
    }

    @Test func `any other proof of the address ends the stranger's registration`() async throws {
        _ = try await accounts.register(AccountFixture.address, "the stranger's own")
        let strangers = try await accounts.token(.confirmRegistration)
        let owner = try await accounts.users.signedIn(VerifiedIdentity(kind: .email, value: address))
        #expect(try await accounts.rows() == ["users": 1, "identities": 1])
        #expect(try await accounts.confirm(strangers, "the stranger's own").result == .invalidLink)
        #expect(try await accounts.signIn("the stranger's own") == nil)
        #expect(try await accounts.users.store.user(owner.id)?.email == address)
    }

    @Test func `three are open for an address, and the oldest makes room`() async throws {
        var tokens: [String] = []
        for number in 1...4 {
            _ = try await accounts.register(AccountFixture.address, "\(AccountFixture.password) \(number)")
            tokens.append(try await accounts.token(.confirmRegistration))
            // Two mails an hour are a network's for one mailbox.
            accounts.users.clock.advance(seconds: 3_600)
        }
        #expect(try await accounts.rows() == ["registrations": 3, "account_links": 6])
        #expect(try await accounts.confirm(tokens[0], "\(AccountFixture.password) 1").result == .invalidLink)
        accounts.users.clock.advance(seconds: 3_600)
        #expect(try await accounts.resend().result == .done)
        let renewed = try await accounts.mails()
        #expect(renewed.map(\.kind) == Array(repeating: .confirmRegistration, count: 3))
        #expect(try await accounts.confirm(tokens[1], "\(AccountFixture.password) 2").result == .invalidLink)
        // They go out side by side, in any order; the newest registration's password fits one of them.
        var results: [AccountAnswer.Result] = []
        for mail in renewed {
            let token = try #require(mail.token)
            results.append(try await accounts.confirm(token, "\(AccountFixture.password) 4").result)
        }
        #expect(results.count { $0 == .done } == 1)
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
    }

    @Test func `of fifty confirmations at once one makes the user, and repeats of its call say so too`() async throws {
        _ = try await accounts.register()
        let token = try await accounts.token(.confirmRegistration)
        let call = AccountFixture.newCall()
        let results = try await concurrently(50) { number in
            let answer = try await patiently {
                try await accounts.confirm(token, call: number < 10 ? call : AccountFixture.newCall())
            }
            return (number: number, result: answer.result)
        }
        let done = results.filter { $0.result == .done }
        #expect(done.count == 1 || (done.count > 1 && done.allSatisfy { $0.number < 10 }))
        // Each counts as a login while it is compared, so that some may have to wait.
        #expect(results.allSatisfy { [.done, .invalidLink, .rateLimited].contains($0.result) })
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
        #expect(try await accounts.users.auditEvents() == ["user.created"])
        #expect(try await accounts.signIn() != nil)
    }

    @Test func `a repeat is answered as the first and writes nothing; another body or time is another call`()
        async throws
    {
        let call = AccountFixture.newCall()
        for _ in 0..<3 { #expect(try await accounts.register(call: call).result == .done) }
        #expect(try await accounts.mails().count == 1)
        // Another call; with the same password it sends nothing, with another one it does.
        #expect(try await accounts.register(name: "Ann", call: call).result == .done)
        #expect(try await accounts.mails().isEmpty)
        accounts.users.clock.advance(seconds: 180)
        #expect(try await accounts.register(call: call).result == .done)
        #expect(try await accounts.mails().count == 1)
    }

    @Test(arguments: [
        "", "ann", "ann@", "@example.com", "ann@example", "ann@example.com, bob@example.com",
        "ann@example.com\r\nBcc: x@y.z",
        "\u{E4}nn@example.com", "ann@example.com" + String(repeating: "m", count: 10_000),
    ])
    func `what is no address is said to be none, and nothing is stored`(_ text: String) async throws {
        #expect(try await accounts.register(text).result == .invalidEmail)
        #expect(try await accounts.resend(text).result == .invalidEmail)
        #expect(try await accounts.forgot(text).result == .invalidEmail)
        #expect(try await accounts.prove(at: text).result == .invalidCredentials)
        #expect(try await accounts.rows().isEmpty)
        #expect(try await accounts.users.count("first_answers") == 0)
        #expect(try await accounts.redis.send(["DBSIZE"]).integerValue == 0)
    }

    @Test(arguments: [
        "", "short", "password1", "PASSWORD1", "Ann@Example.com", String(repeating: "a1b", count: 43) + "cd",
    ])
    func `a password that is too short, too long, common or the address itself is refused wherever one is set`(
        _ password: String
    ) async throws {
        #expect(try await accounts.register(AccountFixture.address, password).result == .weakPassword)
        #expect(try await accounts.rows().isEmpty)
        let user = try await accounts.user()
        #expect(try await accounts.change(user, to: password) == .answer(AccountAnswer(.weakPassword)))
        #expect(try await accounts.forgot().result == .done)
        let token = try await accounts.token(.passwordReset)
        #expect(try await accounts.reset(token, password).result == .weakPassword)
        // It used no link.
        #expect(try await accounts.reset(token, "quite another one").result == .done)
        #expect(try await accounts.signIn("quite another one") != nil)
    }

    @Test func `a closed registration takes nobody, whatever he writes`() async throws {
        let parts = accounts.parts
        let closed = AccountParts(
            passwords: parts.passwords, registration: .closed, change: parts.change, act: parts.act,
            check: parts.check, notices: parts.notices, tags: parts.tags,
            takeover: parts.takeover, proofKeys: parts.proofKeys)
        for email in [address, "none"] {
            let request = RegisterRequest(
                email: email, password: AccountFixture.password, locales: [], address: AccountFixture.client,
                callID: "1")
            #expect(try await Register(accounts: closed)(request).result == .registrationClosed)
        }
        #expect(try await accounts.rows().isEmpty)
    }

    /// Issue 9's rule: an account with an unverified address blocks no other account.
    @Test func `a registration's link takes the address from whoever only claims it`() async throws {
        let claimant = try await accounts.users.signedIn("+15551234567")
        try await accounts.users.store.claim(address, for: claimant.id)
        let user = try await accounts.user()
        #expect(user.id != claimant.id)
        #expect(try await accounts.users.store.user(claimant.id)?.email == nil)
        #expect(try await accounts.users.auditEvents().contains("user.address_lost"))
    }

    @Test func `an account with nothing but the claimed address is the prover's, without its sessions`() async throws {
        let claimant = try await accounts.users.signedIn("+15551234567")
        try await accounts.users.store.claim(address, for: claimant.id)
        try await accounts.users.execute("DELETE FROM identities")
        let applied = try await accounts.users.store.apply(
            [.setPassword(StoredPassword(hash: "the stranger's", version: 1), of: claimant.id)],
            on: try await accounts.parts.act.facts(.account(claimant.id), nil), now: accounts.users.clock.seconds)
        #expect(applied == .applied)
        let user = try await accounts.user()
        #expect(user.id == claimant.id)
        await accounts.users.worker().round()
        #expect(accounts.users.tokenService.revocations.map(\.reason) == [.takenOver])
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
    }

    @Test func `when the limit of mails or Redis says no, nothing is noted`() async throws {
        for number in 0..<2 { #expect(try await accounts.register("ann+\(number)@example.com").result == .done) }
        let rows = try await accounts.rows()
        _ = try await accounts.mails()
        #expect(try await accounts.register() == AccountAnswer(.done))
        #expect(try await accounts.resend("ann+0@example.com") == AccountAnswer(.done))
        #expect(try await accounts.rows() == rows)
        #expect(try await accounts.mails().isEmpty)
        try await accounts.server.kill()
        await #expect(throws: GuessLimitsFailure.self) { try await accounts.register("bob@example.com") }
        #expect(try await accounts.rows() == rows)
    }
}

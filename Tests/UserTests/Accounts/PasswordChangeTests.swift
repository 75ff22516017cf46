import InternalAPI
import Policies
import SQLiteStore
import TestSupport
import Testing

@testable import UserCore

/// Another password, or the account's end, at the word of the one that holds.
@Suite(.timeLimit(.minutes(5)), .accounts) struct PasswordChangeTests {
    private let accounts: AccountFixture
    private static let new = "quite another one"

    init() throws { accounts = try AccountFixture.ofTest }

    @Test func `a change ends all sessions, or all but the one that asks, and tells the owner`() async throws {
        let cases: [(PasswordChangePolicy.Ends, String?)] = [(.all, nil), (.others, "session-1")]
        for (ends, spared) in cases {
            try await withAccounts(ends: ends) { accounts async throws in
                let user = try await accounts.user()
                #expect(try await accounts.change(user, to: Self.new) == .answer(AccountAnswer(.done)))
                let ended = try #require(accounts.users.tokenService.revocations.first)
                #expect(accounts.users.tokenService.revocations.count == 1)
                #expect(ended.sparedSession == spared && ended.epoch == 2 && ended.reason == .passwordChange)
                #expect(try await accounts.mails().map(\.kind) == [.passwordChanged])
                #expect(try await accounts.signIn() == nil)
                #expect(try await accounts.signIn(Self.new) != nil)
                #expect(try await accounts.users.auditEvents() == ["user.created", "user.password_changed"])
            }
        }
    }

    @Test func `a wrong old password changes nothing and counts`() async throws {
        let user = try await accounts.user()
        for _ in 0..<10 {
            let answer = try await accounts.change(user, from: AccountFixture.other, to: Self.new)
            #expect(answer == .answer(AccountAnswer(.wrongPassword)))
        }
        let limited = AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: 30)
        #expect(try await accounts.change(user, to: Self.new) == .answer(limited))
        #expect(try await accounts.delete(user) == .answer(limited))
        // The wrong guesses were the bearer's own: they do not count at the login.
        #expect(try await accounts.prove().result == .proved)
        accounts.users.clock.advance(seconds: 30)
        #expect(try await accounts.change(user, to: Self.new) == .answer(AccountAnswer(.done)))
    }

    @Test func `who has no password is told so`() async throws {
        for identity in [
            VerifiedIdentity.phone("+15551234567"), VerifiedIdentity(kind: .email, value: AccountFixture.address),
        ] {
            let user = try await accounts.users.signedIn(identity)
            #expect(try await accounts.change(user, to: Self.new) == .answer(AccountAnswer(.noPassword)))
            #expect(try await accounts.delete(user) == .answer(AccountAnswer(.noPassword)))
        }
        let nobody = SignedInUser(id: .new(), sessionID: "s-1")
        #expect(try await accounts.change(nobody, to: Self.new) == .refused(.invalidToken))
        #expect(try await accounts.delete(nobody) == .refused(.invalidToken))
    }

    @Test func `of changes at once one holds, and its session alone is spared`() async throws {
        try await withAccounts(ends: .others) { accounts async throws in
            let user = try await accounts.user()
            let results = try await concurrently(8) { number in
                let caller = SignedInUser(id: user.id, sessionID: "s-\(number)")
                return (number, try await patiently { try await accounts.change(caller, to: "\(Self.new) \(number)") })
            }
            let done = results.filter { $0.1 == .answer(AccountAnswer(.done)) }
            #expect(done.count == 1)
            let winner = try #require(done.first?.0)
            #expect(accounts.users.tokenService.revocations.map(\.sparedSession) == ["s-\(winner)"])
            #expect(try await accounts.signIn("\(Self.new) \(winner)") != nil)
        }
    }

    @Test func `a repeat is answered as the first, pending until token-service confirms, then done`() async throws {
        try await withAccounts(ends: .others) { accounts async throws in
            let user = try await accounts.user()
            let call = AccountFixture.newCall()
            accounts.users.tokenService.setAway(true)
            for _ in 0..<2 {
                let answer = try await accounts.change(user, to: Self.new, call: call)
                #expect(answer == .answer(AccountAnswer(.changePending)))
            }
            accounts.users.tokenService.setAway(false)
            for _ in 0..<2 {
                #expect(try await accounts.change(user, to: Self.new, call: call) == .answer(AccountAnswer(.done)))
            }
            // A late repeat of the row names the spared session too.
            #expect(accounts.users.tokenService.revocations.map(\.sparedSession) == ["session-1"])
            #expect(try await accounts.mails().count == 1)
            // Another caller's key is another call.
            let other = SignedInUser(id: user.id, sessionID: "s-2")
            let again = try await accounts.change(other, from: AccountFixture.other, to: Self.new, call: call)
            #expect(again == .answer(AccountAnswer(.wrongPassword)))
        }
    }

    @Test func `the account is given up at the word of its password, and a new login brings it back`() async throws {
        let user = try await accounts.user()
        #expect(try await accounts.delete(user, AccountFixture.other) == .answer(AccountAnswer(.wrongPassword)))
        #expect(try await accounts.users.store.user(user.id)?.deletion == nil)
        let before = try await accounts.prove()
        #expect(before.resolved != nil)
        #expect(try await accounts.delete(user) == .answer(AccountAnswer(.done)))
        #expect(accounts.users.tokenService.revocations.count == 1)
        #expect(try await accounts.users.store.user(user.id)?.deletion != nil)
        #expect(try await accounts.change(user, to: Self.new) == .refused(.invalidToken))
        // A proof from before the deletion does not undo it, and `resolve` decides about a proof from after it.
        #expect(try await accounts.resolve(before.proof) == .refused(.attestationRefused))
        #expect(try await accounts.users.store.user(user.id)?.deletion != nil)
        #expect(try await accounts.prove().resolved == nil)
        let back = try #require(try await accounts.signIn())
        #expect(back.restored)
    }

    @Test func `what is removed takes the password, the links and the first answers along`() async throws {
        let user = try await accounts.user()
        _ = try await accounts.forgot()
        _ = try await accounts.mails()
        _ = try await accounts.users.deletion(graceDays: 0)(user, requestID: nil)
        _ = try await accounts.prove()
        await accounts.users.removal().round()
        #expect(try await accounts.rows().isEmpty)
        await accounts.users.database.boundLog()
        for trace in try Trace.files(in: accounts.users.folder) {
            #expect(!Canary(AccountFixture.address).stands(in: trace.bytes), "in \(trace.name)")
        }
    }

    @Test func `who is inactive changes nothing`() async throws {
        let user = try await accounts.user()
        try await accounts.users.execute("UPDATE users SET is_active = 0")
        #expect(try await accounts.change(user, to: Self.new) == .refused(.accountInactive))
        #expect(try await accounts.delete(user) == .refused(.accountInactive))
    }
}

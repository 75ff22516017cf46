import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// A code that was requested before the password was reset or changed proves nothing after it.
@Suite(.timeLimit(.minutes(5)), .accounts) struct CodeBeforeResetTests {
    private let accounts: AccountFixture

    init() throws { accounts = try AccountFixture.ofTest }

    private func attestation(id: String, challengedAt: Int64?, purpose: Purpose = .signIn) throws -> String {
        try accounts.users.attestation(
            .email(AccountFixture.address), id: id, by: "email", for: purpose, challengedAt: challengedAt)
    }

    private func setPassword(of user: SignedInUser, byReset: Bool) async throws {
        if byReset {
            _ = try await accounts.forgot()
            #expect(try await accounts.reset(try await resetToken(), "quite another one").result == .done)
        } else {
            #expect(try await accounts.change(user, to: "quite another one") == .answer(AccountAnswer(.done)))
        }
    }

    private func isGranted(_ attestation: String) async throws -> Bool {
        switch try await accounts.resolve(attestation) {
        case .answer: true
        case .refused(.attestationRefused, _): false
        case let other:
            Issue.record("\(other)")
            throw UserFixture.Unexpected()
        }
    }

    @Test(arguments: [true, false])
    func `an older code is void, its repeat too, and a newer one opens the account`(byReset: Bool) async throws {
        let user = try await accounts.user()
        let start = accounts.users.clock.seconds
        let used = try attestation(id: "used", challengedAt: start)
        #expect(try await isGranted(used))
        accounts.users.clock.advance(seconds: 10)
        let changedAt = accounts.users.clock.seconds
        try await setPassword(of: user, byReset: byReset)
        #expect(try await !isGranted(used))
        for time in [start, changedAt - 1, changedAt] {
            #expect(
                try await !isGranted(try attestation(id: "old \(time)", challengedAt: time)))
        }
        #expect(try await isGranted(try attestation(id: "new", challengedAt: changedAt + 1)))
    }

    @Test(arguments: [true, false])
    func `otp-service voids the codes, and forgets the networks of a reset account`(byReset: Bool) async throws {
        let user = try await accounts.user()
        accounts.users.clock.advance(seconds: 10)
        let changedAt = accounts.users.clock.seconds
        try await setPassword(of: user, byReset: byReset)
        await accounts.users.worker(.otp).round()
        // A code that is requested later in this second would be refused too, and must not stay.
        #expect(accounts.users.otpService.forgotten.isEmpty)
        accounts.users.clock.advance(seconds: 1)
        await accounts.users.worker(.otp).round()
        let until = byReset ? changedAt : 0
        #expect(
            accounts.users.otpService.forgotten == [
                ForgetNetworksRequest(email: AccountFixture.address, until: until, codesUntil: changedAt)
            ])
    }

    @Test(arguments: [true, false])
    func `an older code deletes nothing, and a newer one does`(byReset: Bool) async throws {
        let user = try await accounts.user()
        let start = accounts.users.clock.seconds
        accounts.users.clock.advance(seconds: 10)
        let changedAt = accounts.users.clock.seconds
        try await setPassword(of: user, byReset: byReset)
        for time in [start, changedAt - 1, changedAt] {
            #expect(try await delete(challengedAt: time) == .init(.attestationRefused))
        }
        #expect(try await accounts.users.store.user(user.id)?.deletion == nil)
        let due = changedAt + 30 * 86_400
        #expect(try await delete(challengedAt: changedAt + 1) == .init(.scheduled, dueAt: due))
    }

    private func delete(challengedAt: Int64?, in store: (any UserStore)? = nil) async throws -> DeleteByProofAnswer {
        let users = accounts.users
        let use = DeleteByProof(
            store: store ?? users.store, delete: users.deletion(), attestationKeys: users.attestationKeys,
            now: users.clock.unix)
        let attestation = try attestation(id: "deletion", challengedAt: challengedAt, purpose: .deletion)
        return try await use(DeleteByProofRequest(attestation: attestation), requestID: nil)
    }

    @Test func `a reset while a deletion is decided on lets the proof be judged again`() async throws {
        let user = try await accounts.user()
        let start = accounts.users.clock.seconds
        _ = try await accounts.forgot()
        let token = try await resetToken()
        let store = InterruptedStore(accounts.users.store) { () async throws in
            #expect(try await accounts.reset(token, "quite another one").result == .done)
        }
        let result = try await delete(challengedAt: start, in: store)
        #expect(result == .init(.attestationRefused))
        #expect(try await accounts.users.store.user(user.id)?.deletion == nil)
    }

    @Test func `a login's new hash keeps the time of the reset`() async throws {
        let user = try await accounts.user()
        _ = try await accounts.forgot()
        let resetAt = accounts.users.clock.seconds
        #expect(try await accounts.reset(try await resetToken(), "quite another one").result == .done)
        let facts = try await accounts.parts.act.facts(.account(user.id), nil)
        let stored = try #require(facts.password)
        #expect(stored.changedAt == resetAt)
        let renewed = StoredPassword(hash: stored.hash, version: stored.version)
        #expect(
            try await accounts.users.store.apply(
                [.setPassword(renewed, of: user.id)], on: facts, now: resetAt + 9) == .applied)
        #expect(try await accounts.parts.act.facts(.account(user.id), nil).password?.changedAt == resetAt)
    }

    private func resetToken() async throws -> String {
        try #require(try await accounts.mails().first { $0.kind == .passwordReset }?.token)
    }
}

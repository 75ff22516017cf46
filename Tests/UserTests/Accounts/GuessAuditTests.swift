import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// Audit records of guesses at passwords.
@Suite(.timeLimit(.minutes(5)), .accounts) struct GuessAuditTests {
    private let accounts: AccountFixture

    init() throws { accounts = try AccountFixture.ofTest }

    /// Moves what waits, and returns the records of guesses: event, subject in hexadecimal, detail.
    private func records(_ accounts: AccountFixture) async throws -> [String] {
        let mover = AuditMover(
            leaseName: "audit_mover login", stream: accounts.parts.limits.auditStream(now: accounts.users.clock.unix),
            store: AuditMoves(database: accounts.users.database), holder: "a", now: accounts.users.clock.unix,
            logger: accounts.users.logger)
        while await mover.round() > 0 {}
        return try await accounts.users.texts(
            "SELECT event || ' ' || hex(subject) || ' ' || detail FROM audit WHERE event LIKE 'password.%' ORDER BY number"
        )
    }

    private func pseudonym(_ user: SignedInUser, _ accounts: AccountFixture) async throws -> String {
        let bytes = try #require(try await accounts.users.store.user(user.id)).pseudonym.bytes
        return bytes.map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined()
    }

    @Test func `each wrong password is a record under the user, right ones are not`() async throws {
        let user = try await accounts.user()
        let subject = try await pseudonym(user, accounts)
        _ = try await accounts.prove(AccountFixture.other, from: "203.0.113.1")
        _ = try await accounts.prove()
        _ = try await accounts.prove("")
        _ = try await accounts.change(user, from: AccountFixture.other, to: "quite another one")
        #expect(
            try await records(accounts) == [
                "password.wrong \(subject) stranger", "password.wrong \(subject) known",
                "password.wrong \(subject) bearer",
            ])
    }

    @Test func `an address without an account has records of its own, that name nobody`() async throws {
        let nobody = String(repeating: "0", count: 32)
        for address in ["x@example.com", "X@example.com", "y@example.com"] {
            _ = try await accounts.prove(at: address)
        }
        let records = try await records(accounts)
        #expect(records.count == 3 && records[0] == records[1] && records[1] != records[2])
        #expect(!records.contains { $0.contains(nobody) })
    }

    @Test func `locks are records, and what they refuse is counted by minute`() async throws {
        var policy = PasswordPolicy()
        policy.attempts.perAccount = RateLimit(max: 12, windowSeconds: 86_400)
        try await withAccounts(policy) { accounts async throws in
            let subject = try await pseudonym(try await accounts.user(), accounts)
            func prove(_ count: Int, from client: String) async throws {
                for _ in 0..<count { _ = try await accounts.prove(AccountFixture.other, from: client) }
            }
            try await prove(15, from: "203.0.113.1")
            try await prove(2, from: "203.0.114.1")
            try await prove(4, from: "203.0.115.1")
            #expect(try await records(accounts).count { $0 == "password.wrong \(subject) stranger" } == 12)
            let locks = try await records(accounts).filter { $0.hasPrefix("password.locked") }
            #expect(locks.first == "password.locked \(subject) stranger network 30")
            #expect(locks.count == 2 && locks[1].hasPrefix("password.locked \(subject) stranger account "))
            #expect(try await records(accounts).allSatisfy { !$0.hasPrefix("password.refused") })
            accounts.users.clock.advance(seconds: 60)
            let refused = try await records(accounts).filter { $0.hasPrefix("password.refused") }
            let nobody = String(repeating: "0", count: 32)
            #expect(
                Set(refused) == [
                    "password.refused \(nobody) locked network stranger 5",
                    "password.refused \(nobody) locked account stranger 4",
                ])
        }
    }

    @Test func `while nobody moves the records, nothing is compared`() async throws {
        _ = try await accounts.user()
        for _ in 0..<10 {
            _ = try await accounts.redis.send([
                "EVAL", "for i = 1, 10000 do redis.call('XADD', KEYS[1], '*', 'a', 'b') end", "1",
                .text(GuessTags.auditKey),
            ])
        }
        let failure = await #expect(throws: GuessLimitsFailure.self) { try await accounts.prove() }
        #expect(failure?.retryAfterSeconds == 5)
    }
}

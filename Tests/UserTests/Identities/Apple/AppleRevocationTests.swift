import GRDB
import InternalAPI
import ServiceCalls
import Storage
import TestSupport
import Testing

@testable import FakesCore
@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// The revocation of a removed user's tokens at Apple (App Store rule 5.1.1(v)).
@Suite struct AppleRevocationTests {
    private static let day: Int64 = 86_400

    private let fixture: AppleFixture
    private var users: UserFixture { fixture.users }

    init() throws { fixture = try AppleFixture() }

    private func kinds() async throws -> [String] {
        try await users.texts("SELECT kind FROM outbox WHERE lane = 'apple' ORDER BY id")
    }

    /// A user whose code was exchanged.
    private func exchanged() async throws -> ResolveAnswer {
        let user = try await fixture.signIn()
        await fixture.deliver()
        #expect(try await users.count("apple_tokens") == 1)
        return user
    }

    @Test func `a request to delete revokes nothing at Apple, since the user may return`() async throws {
        let user = try await exchanged()
        let signedIn = SignedInUser(id: try fixture.user(user), sessionID: "s")
        _ = try await users.deletion(graceDays: 30)(signedIn, requestID: nil)
        await fixture.deliver(forSeconds: 3_600)
        #expect(fixture.server.ledger.tokens.map(\.revocations) == [0])
        #expect(try await kinds().isEmpty)
    }

    @Test func `the removal does not wait for Apple, and after an hour without it there is one revocation`()
        async throws
    {
        let user = try await exchanged()
        fixture.exchange.setAway(true)
        try await fixture.remove(user)
        await fixture.deliver()
        #expect(try await users.count("apple_tokens") == 0)
        #expect(try await kinds() == ["revoke_token"])
        await fixture.deliver(forSeconds: 3_600)
        let tries = fixture.exchange.bodies.count - 1
        #expect((10...30).contains(tries), "\(tries)")
        fixture.exchange.setAway(false)
        await fixture.deliver(forSeconds: 900)
        #expect(fixture.server.ledger.tokens.map(\.revocations) == [1])
        #expect(fixture.exchange.bodies.count - 1 == tries + 1)
        #expect(try await kinds().isEmpty)
    }

    @Test func `nothing of a removed user is left once Apple has confirmed`() async throws {
        let code = fixture.server.code(for: AppleFixture.subject, clientID: IdentityFixture.audience)
        let user = try await fixture.signIn(code: code)
        await fixture.deliver()
        let sealed = try #require(try await users.texts("SELECT payload FROM apple_tokens").first)
        let token = try #require(fixture.server.ledger.tokens.first?.token)
        try await fixture.remove(user)
        for lane in OutboxMessage.Lane.allCases where lane != .apple { await users.worker(lane).round() }
        await fixture.deliver()
        await users.database.boundLog()
        for trace in try Trace.files(in: users.folder) {
            for canary in [code, token, sealed, AppleFixture.subject, "Betty Testcase"].map({ Canary($0) }) {
                #expect(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)")
            }
        }
    }

    @Test func `after seven days there is an alarm, and the operator can have it tried again`() async throws {
        let user = try await exchanged()
        fixture.exchange.become(ProviderAnswer(status: 400, body: Array(#"{"error":"invalid_client"}"#.utf8)))
        try await fixture.remove(user)
        await fixture.deliver(forSeconds: 7 * Self.day - 60, step: 3_600)
        #expect(try await users.outbox.standing(.apple).pending == 1)
        #expect(try await !users.auditEvents().contains("identity.revocation_failed"))
        await fixture.deliver(forSeconds: 7_200, step: 3_600)
        #expect(try await users.outbox.standing(.apple) == OutboxStanding(pending: 0, oldestAt: nil, dead: 1))
        #expect(try await users.auditEvents().count { $0 == "identity.revocation_failed" } == 1)
        let tries = fixture.exchange.bodies.count
        fixture.exchange.become(nil)
        await fixture.deliver(forSeconds: Self.day, step: 3_600)
        #expect(fixture.exchange.bodies.count == tries)
        let row = try #require(try await users.outbox.listed(behind: nil, limit: 99).first { $0.lane == "apple" })
        #expect(try await users.outbox.retry(row.id, origin: RequestOrigin(), now: users.clock.seconds))
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.map(\.revocations) == [1])
        #expect(try await kinds().isEmpty)
    }

    @Test func `each sweep has a kind of its own, since the sweeper times them by kind`() throws {
        let kinds = ExpiredRows.sweeps(try UserFixture.policy("")).map(\.kind)
        #expect(Set(kinds).count == kinds.count)
    }

    @Test func `a dead revocation is swept two weeks later`() async throws {
        let user = try await exchanged()
        fixture.exchange.setAway(true)
        try await fixture.remove(user)
        let now = users.clock.seconds
        try await users.execute("UPDATE outbox SET next_attempt_at = \(Int64.max) WHERE lane = 'apple'")
        func sweep(_ now: Int64) async throws -> Int {
            try await users.database.write { transaction in
                let keys = try ExpiredRows.deadRows.find(from: .null, now: now, in: transaction).keys
                return try ExpiredRows.deadRows.remove(keys, now: now, in: transaction)
            }
        }
        #expect(try await sweep(now + 14 * Self.day - 1) == 0)
        #expect(try await sweep(now + 14 * Self.day) == 1)
    }

    @Test func `a code that waits while its user is removed is exchanged, and its token revoked`() async throws {
        fixture.exchange.setAway(true)
        let user = try await fixture.signIn()
        await fixture.deliver()
        try await fixture.remove(user)
        #expect(try await kinds() == ["exchange_code"])
        fixture.exchange.setAway(false)
        await fixture.deliver(forSeconds: 60, step: 15)
        #expect(fixture.server.ledger.tokens.map(\.revocations) == [1])
        #expect(try await kinds().isEmpty)
        #expect(try await users.count("apple_tokens") == 0)
    }

    @Test func `a user who is removed again after a restore has their token revoked again`() async throws {
        let user = try await exchanged()
        let database = try await users.restored(without: [try fixture.user(user)])
        let outbox = Outbox(database: database)
        let waiting = try await outbox.pending(.apple, about: try fixture.user(user), limit: 9)
        #expect(waiting.map(\.message.kind) == [.revokeToken])
        let tokens = try await database.withReader { try Int.fetchOne($0, sql: "SELECT count(*) FROM apple_tokens") }
        #expect(tokens == 0)
    }

    @Test(arguments: [true, false])
    func `a token is kept while its identity has a new account, and revoked when that one is removed`(
        _ hasNewCode: Bool
    ) async throws {
        let user = try await exchanged()
        fixture.exchange.setAway(true)
        try await fixture.remove(user)
        await fixture.deliver()
        fixture.exchange.setAway(false)
        let again = try await fixture.signIn(code: hasNewCode ? nil : "")
        #expect(again.user.id != user.user.id)
        await fixture.deliver(forSeconds: 900)
        #expect(fixture.server.ledger.tokens.allSatisfy { $0.revocations == 0 })
        #expect(try await kinds().isEmpty)
        #expect(try await users.count("apple_tokens") == 1)
        try await fixture.remove(again)
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.map(\.revocations) == (hasNewCode ? [0, 1] : [1]))
    }

    @Test func `the token of a dialect without the key at Apple waits for it`() async throws {
        let user = try await exchanged()
        try await fixture.remove(user)
        await users.worker(.apple).round()
        #expect(try await kinds() == ["revoke_token"])
        users.clock.advance(seconds: 5)
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.map(\.revocations) == [1])
    }
}

import AuthAPI
import GRDB
import InternalAPI
import Storage
import Testing

@testable import SQLiteStore
@testable import UserCore

@Suite struct LookUpUsersTests {
    private let fixture: UserFixture
    private let phone = "+15551234567"

    init() throws { fixture = try UserFixture() }

    private func find(_ key: String) async throws -> LookUpUsers.Outcome {
        try await fixture.lookUp(FindUserRequest(key: key), requestID: "r-1")
    }

    private func list(_ limit: Int, _ cursor: String? = nil) async throws -> UserPage {
        try await fixture.lookUp(ListUsersRequest(limit: limit, cursor: cursor), requestID: nil)
    }

    private func looks() async throws -> [String] {
        try await fixture.database.withReader { database in
            try String.fetchAll(
                database,
                sql: "SELECT detail FROM audit WHERE event = 'user.looked_up' AND method = 'operator' ORDER BY number")
        }
    }

    @Test func `a user is found by the number in any spelling, and by the id, each time with a record of it`()
        async throws
    {
        let user = try await fixture.signedIn(phone, name: "Betty")
        let id = user.id.text(prefix: UserFixture.prefix)
        let stored = try #require(try await fixture.store.user(user.id))
        let facts = UserSummary(
            id: id, phoneNumber: phone, name: "Betty", role: "user", isActive: true, createdAt: fixture.clock.seconds,
            lastSignInAt: fixture.clock.seconds, deletionDueAt: nil, sessionCount: 1,
            attributes: UserAttributes(["isChecker": .boolean(false), "seats": .integer(1)]),
            updatedAt: stored.updatedAt, version: stored.tag([]))
        for key in [phone, "+1 (555) 123-4567", "001 555 123 4567", id] {
            #expect(try await find(key) == .answer(facts))
        }
        #expect(try await looks() == Array(repeating: "find", count: 4))
        let subjects = try await fixture.database.withReader {
            try Int.fetchOne($0, sql: "SELECT count(DISTINCT subject) FROM audit WHERE event <> 'user.created'")
        }
        #expect(subjects == 1)
    }

    @Test func `who is not there is not found, and the look is on record all the same`() async throws {
        #expect(try await find("+15550000000") == .refused(.notFound))
        #expect(try await find("usr_" + String(repeating: "0", count: 32)) == .refused(.notFound))
        #expect(try await looks() == ["find: nobody", "find: nobody"])
    }

    @Test func `a merged user is found by the id, which leads to the other one, as does the audit`() async throws {
        let (user, other) = (try await fixture.signedIn(phone), try await fixture.signedIn("+15551234568"))
        let merged = try #require(try await fixture.store.user(other.id))
        try await fixture.store.put(
            [.merge(merged, into: user.id), .audit(AuditEntry(.mergedAway, merged, RequestOrigin()))], now: 1_000)
        let (old, new) = (other.id.text(prefix: UserFixture.prefix), user.id.text(prefix: UserFixture.prefix))
        let found = try await find(old).answered
        #expect(found.id == old && found.mergedInto == new && found.phoneNumber == nil && !found.isActive)
        #expect(try await find("+15551234568") == .refused(.notFound))
        let list = ListAudit(
            store: fixture.store, queries: fixture.store, userIDPrefix: UserFixture.prefix, now: fixture.clock.unix)
        let page = try await list(
            AuditRequest(userID: old, event: "user.merged_away", limit: 9), requestID: nil
        ).answered
        #expect(page.records.count == 1)
    }

    @Test(arguments: [
        "", " ", "*", "%", "+1555%", "+1555123456*", "5551234567", "123", "Betty", "usr_", "usr_%", "usr_00",
        "' OR 1=1 --",
        String(repeating: "1", count: 10_000), "\u{0}", "+155512345671234567",
    ])
    func `nonsense, parts and wild cards are no key`(key: String) async throws {
        _ = try await fixture.signedIn(phone)
        await #expect(throws: InvalidInput.key) { try await find(key) }
        #expect(try await looks().isEmpty)
    }

    @Test func `ten users whose numbers begin alike are found one by one`() async throws {
        for last in 0..<10 { _ = try await fixture.signedIn("+1555123456\(last)") }
        let facts = try await find("+15551234563").answered
        #expect(facts.phoneNumber == "+15551234563")
        await #expect(throws: InvalidInput.key) { try await find("+1555123456") }
    }

    @Test func `pages show each user once, newest first`() async throws {
        var ids: [String] = []
        for last in 0..<5 {
            fixture.clock.advance(milliseconds: 1)
            ids.append(try await fixture.signedIn("+1555123456\(last)").id.text(prefix: UserFixture.prefix))
        }
        let first = try await list(2)
        #expect(first.users.map(\.id) == [ids[4], ids[3]])
        #expect(first.users.map(\.sessionCount) == [1, 2])
        let second = try await list(2, first.next)
        let third = try await list(2, second.next)
        #expect((second.users + third.users).map(\.id) == [ids[2], ids[1], ids[0]])
        #expect(third.next == nil)
        #expect(try await looks() == ["list: 2", "list: 2", "list: 1"])
    }

    @Test(
        arguments: [(0, nil), (-1, nil), (201, nil), (Int.max, nil), (1, "x"), (1, ""), (1, "usr_0")]
            as [(Int, String?)])
    func `a page of nothing, of too many, or behind nobody's id is refused`(limit: Int, cursor: String?) async throws {
        await #expect(throws: InvalidInput.self) { try await list(limit, cursor) }
    }

    @Test func `without token-service the sessions are unknown, and the rest is shown`() async throws {
        _ = try await fixture.signedIn(phone)
        fixture.tokenService.setAway(true)
        let facts = try await find(phone).answered
        #expect(facts.sessionCount == nil && facts.phoneNumber == phone)
    }

    @Test func `a user without the number, since another account has it now, is found by the id alone`() async throws {
        let user = try await fixture.signedIn(phone)
        _ = try await fixture.deletion(graceDays: 0)(user, requestID: nil)
        let other = try await fixture.signedIn(phone)
        let facts = try await find(user.id.text(prefix: UserFixture.prefix)).answered
        let holder = try await find(phone).answered
        #expect(facts.phoneNumber == nil && facts.lastSignInAt == nil && facts.deletionDueAt == fixture.clock.seconds)
        #expect(holder.id == other.id.text(prefix: UserFixture.prefix))
    }

    @Test func `when no record can be written nothing is shown`() async throws {
        _ = try await fixture.signedIn(phone)
        try await fixture.execute("ALTER TABLE audit RENAME TO elsewhere")
        await #expect(throws: StorageError.self) { try await find(phone) }
    }
}

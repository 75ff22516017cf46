import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Users as an administrator sees them: each row says whether the user is an administrator.
@Suite struct ListUsersAsAdminTests {
    private let fixture: UserFixture
    private let listUsers: ListUsersAsAdmin

    init() throws {
        fixture = try UserFixture()
        listUsers = Self.replica(fixture)
    }

    private static func replica(_ fixture: UserFixture) -> ListUsersAsAdmin {
        ListUsersAsAdmin(
            check: AdministratorCheck(store: fixture.store, queries: fixture.store, now: fixture.clock.unix),
            userIDPrefix: UserFixture.prefix, attributes: UserFixture.attributes)
    }

    private func list(
        _ caller: SignedInUser, _ limit: Int = 100, _ cursor: String? = nil
    ) async throws
        -> ListUsersAsAdmin.Outcome
    {
        try await listUsers(caller, ListUsersRequest(limit: limit, cursor: cursor), requestID: "r-1")
    }

    private func page(_ caller: SignedInUser, _ limit: Int = 100, _ cursor: String? = nil) async throws -> UserPage {
        guard case .answer(let page) = try await list(caller, limit, cursor) else { throw NoPage() }
        return page
    }

    private struct NoPage: Error {}

    private func admin() async throws -> SignedInUser {
        let user = try await fixture.signedIn("+15550000000")
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(try await fixture.change(ChangeUserRequest(userID: id, role: "admin"), requestID: nil).isDone)
        return user
    }

    private func looks() async throws -> [String] {
        try await fixture.texts(
            "SELECT detail || ' ' || session_id FROM audit WHERE event = 'user.looked_up' ORDER BY number")
    }

    private func refusals(of user: SignedInUser) async throws -> [String] {
        try await fixture.texts(
            """
            SELECT session_id || ' ' || request_id FROM audit JOIN users ON subject = pseudonym
            WHERE event = 'user.look_refused' AND users.id = x'\(user.id.text(prefix: ""))' ORDER BY audit.number
            """)
    }

    @Test func `pages show each user once, newest first, and each is on record with the session that asked`()
        async throws
    {
        let admin = try await admin()
        var ids = [admin.id.text(prefix: UserFixture.prefix)]
        for last in 1...4 {
            fixture.clock.advance(milliseconds: 1)
            ids.append(try await fixture.signedIn("+1555000000\(last)").id.text(prefix: UserFixture.prefix))
        }
        let first = try await page(admin, 2)
        let second = try await page(admin, 2, first.next)
        let third = try await page(admin, 2, second.next)
        #expect((first.users + second.users + third.users).map(\.id) == ids.reversed())
        #expect(third.next == nil && first.invitations == nil && first.users.allSatisfy { $0.sessionCount == nil })
        #expect(try await looks() == ["list: 2 session-1", "list: 2 session-1", "list: 1 session-1"])
        // The audit identifies the administrator without the session, whose row does not last as long.
        let own = try await fixture.texts(
            "SELECT method FROM audit JOIN users ON subject = pseudonym WHERE event = 'user.looked_up' AND role = 'admin'"
        )
        #expect(own == Array(repeating: "administrator", count: 3))
    }

    @Test func `who is no administrator, or not any more, sees nobody, and nothing is read`() async throws {
        let user = try await fixture.signedIn()
        #expect(try await list(user) == .refused(.forbidden))
        let admin = try await admin()
        let id = admin.id.text(prefix: UserFixture.prefix)
        #expect(try await page(admin).users.count == 2)
        // The token says what it said; the row does not.
        #expect(try await fixture.change(ChangeUserRequest(userID: id, role: "user"), requestID: nil).isDone)
        #expect(try await list(admin) == .refused(.forbidden))
        #expect(try await fixture.change(ChangeUserRequest(userID: id, role: "admin"), requestID: nil).isDone)
        #expect(try await fixture.change(ChangeUserRequest(userID: id, isActive: false), requestID: nil).isDone)
        #expect(try await list(admin) == .refused(.accountInactive))
        #expect(try await list(SignedInUser(id: .new(), sessionID: "s")) == .refused(.invalidToken))
        #expect(try await looks().count == 1)
    }

    @Test func `who asks without the role is on record, once an hour however often he asks`() async throws {
        let (user, other) = (try await fixture.signedIn(), try await fixture.signedIn("+15550000001"))
        let answers = try await concurrently(100) { _ in try await list(user) }
        #expect(answers.allSatisfy { $0 == .refused(.forbidden) })
        #expect(try await refusals(of: user) == ["session-1 r-1"])
        // Refusals are recorded for each user separately.
        #expect(try await list(other) == .refused(.forbidden))
        #expect(try await refusals(of: other).count == 1)
        fixture.clock.advance(milliseconds: 3_599_000)
        #expect(try await list(user) == .refused(.forbidden))
        #expect(try await refusals(of: user).count == 1)
        fixture.clock.advance(milliseconds: 1_000)
        #expect(try await list(user) == .refused(.forbidden))
        #expect(try await refusals(of: user).count == 2)
    }

    @Test func `a refusal whose record could not be written is none, and the next one has it`() async throws {
        let user = try await fixture.signedIn()
        try await fixture.execute("ALTER TABLE audit RENAME TO elsewhere")
        await #expect(throws: StorageError.self) { try await list(user) }
        try await fixture.execute("ALTER TABLE elsewhere RENAME TO audit")
        #expect(try await list(user) == .refused(.forbidden))
        #expect(try await refusals(of: user).count == 1)
    }

    @Test func `an administrator who is given up is nobody`() async throws {
        let admin = try await admin()
        _ = try await fixture.deletion()(admin, requestID: nil)
        #expect(try await list(admin) == .refused(.invalidToken))
    }

    @Test(
        arguments: [
            (0, nil), (-1, nil), (201, nil), (Int.max, nil), (1, "x"), (1, ""), (1, "usr_0"), (1, "usr_%"),
            (1, "usr_" + String(repeating: "G", count: 32)), (1, String(repeating: "0", count: 32)),
            (1, "usr_" + String(repeating: "A", count: 32)), (1, "' OR 1=1 --"),
        ] as [(Int, String?)])
    func `a page of nothing, of too many, or behind a forged cursor is refused`(
        limit: Int, cursor: String?
    ) async throws {
        let admin = try await admin()
        let invalid = await #expect(throws: InvalidInput.self) { try await list(admin, limit, cursor) }
        #expect(invalid?.member == ((1...200).contains(limit) ? "cursor" : "limit"))
        #expect(try await looks().isEmpty)
    }

    @Test func `when no record can be written nothing is shown`() async throws {
        let admin = try await admin()
        try await fixture.execute("ALTER TABLE audit RENAME TO elsewhere")
        await #expect(throws: StorageError.self) { try await list(admin) }
    }
}

import InternalAPI
import Storage
import Testing

@testable import UserCore

/// Users as an administrator sees them: his row says whether he is one.
@Suite struct ListUsersAsAdminTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func list(
        _ caller: SignedInUser, _ limit: Int = 100, _ cursor: String? = nil
    ) async throws
        -> ListUsersAsAdmin.Result
    {
        try await ListUsersAsAdmin(
            users: fixture.store, store: fixture.store, userIDPrefix: UserFixture.prefix,
            attributes: UserFixture.attributes, now: fixture.clock.unix)(
                caller, ListUsersRequest(limit: limit, cursor: cursor), requestID: "r-1")
    }

    private func page(_ caller: SignedInUser, _ limit: Int = 100, _ cursor: String? = nil) async throws -> UserPage {
        guard case .page(let page) = try await list(caller, limit, cursor) else { throw NoPage() }
        return page
    }

    private struct NoPage: Error {}

    private func admin() async throws -> SignedInUser {
        let user = try await fixture.signedIn("+15550000000")
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(try await fixture.change(ChangeUserRequest(userID: id, role: "admin"), requestID: nil) == .done)
        return user
    }

    private func looks() async throws -> [String] {
        try await fixture.texts(
            "SELECT detail || ' ' || session_id FROM audit WHERE event = 'user.looked_up' ORDER BY id")
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
        // Who looked is known without his session, whose row does not last as long.
        let own = try await fixture.texts(
            "SELECT method FROM audit JOIN users ON subject = pseudonym WHERE event = 'user.looked_up' AND role = 'admin'"
        )
        #expect(own == Array(repeating: "administrator", count: 3))
    }

    @Test func `who is no administrator, or not any more, sees nobody, and nothing is read`() async throws {
        let user = try await fixture.signedIn()
        #expect(try await list(user) == .forbidden)
        let admin = try await admin()
        let id = admin.id.text(prefix: UserFixture.prefix)
        #expect(try await page(admin).users.count == 2)
        // The token says what it said; the row does not.
        #expect(try await fixture.change(ChangeUserRequest(userID: id, role: "user"), requestID: nil) == .done)
        #expect(try await list(admin) == .forbidden)
        #expect(try await fixture.change(ChangeUserRequest(userID: id, role: "admin"), requestID: nil) == .done)
        #expect(try await fixture.change(ChangeUserRequest(userID: id, isActive: false), requestID: nil) == .done)
        #expect(try await list(admin) == .inactive)
        #expect(try await list(SignedInUser(id: .new(), sessionID: "s")) == .unknown)
        #expect(try await looks().count == 1)
    }

    @Test func `an administrator who is given up is nobody`() async throws {
        let admin = try await admin()
        _ = try await fixture.deletion()(admin, requestID: nil)
        #expect(try await list(admin) == .unknown)
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
        #expect(try await list(admin, limit, cursor) == .invalid)
        #expect(try await looks().isEmpty)
    }

    @Test func `when no record can be written nothing is shown`() async throws {
        let admin = try await admin()
        try await fixture.execute("ALTER TABLE audit RENAME TO elsewhere")
        await #expect(throws: StorageError.self) { try await list(admin) }
    }
}

import AuthAPI
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The operator's use cases on request of an administrator: their own row decides in the same transaction, and the audit says who
/// did what to which user, and why.
@Suite struct AdministratorTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func admin(_ phone: String = "+15550000000") async throws -> SignedInUser {
        let user = try await fixture.signedIn(phone)
        let request = ChangeUserRequest(userID: text(user), role: "admin")
        #expect(try await fixture.change(request, requestID: nil).isDone)
        return user
    }

    private func text(_ user: SignedInUser) -> String { user.id.text(prefix: UserFixture.prefix) }

    /// Runs a use case as an administrator's request.
    private func act<Outcome: Sendable>(
        _ caller: SignedInUser, reason: String? = nil, versions: [String]? = nil,
        _ act: (AdministratorStore) async throws -> Outcome
    ) async throws -> Outcome {
        let check = AdministratorCheck(store: fixture.store, queries: fixture.store, now: fixture.clock.unix)
        let admin = try await check(caller, "test", requestID: "r-1")
        let origin = RequestOrigin.by(admin, sessionID: caller.sessionID, reason: reason, requestID: "r-1")
        return try await RequestOrigin.$ofAdministrator.withValue(origin) {
            try await act(AdministratorStore(store: fixture.store, caller: .user(caller), versions: versions))
        }
    }

    private func search(_ caller: SignedInUser, _ request: SearchUsersRequest) async throws -> UserPage {
        try await act(caller, reason: "ticket 7") { store in
            try await SearchUsers(
                store: store, queries: fixture.store, userIDPrefix: UserFixture.prefix,
                attributes: UserFixture.attributes, defaultRegion: "DE", now: fixture.clock.unix)(
                    request, requestID: "r-1")
        }
    }

    /// The records of reading, as event, subject's phone number and detail.
    private func looks() async throws -> [String] {
        try await fixture.texts(
            """
            SELECT coalesce((SELECT value FROM identities WHERE user_id = users.id), '-') || ' ' || detail
            FROM audit LEFT JOIN users ON subject = pseudonym WHERE event = 'user.looked_up' ORDER BY number
            """)
    }

    // MARK: - Finding

    @Test func `users are found by id and by whole or half numbers and addresses, each with a record`() async throws {
        let admin = try await admin()
        let anna = try await fixture.signedIn("+4917012345678")
        _ = try await fixture.signedIn(.email("betty@example.com"))
        for text in [text(anna), "+4917012345678", "0170 12345678", "+49 170", "+4917"] {
            let page = try await search(admin, SearchUsersRequest(limit: 9, search: text))
            #expect(page.users.map(\.phoneNumber) == ["+4917012345678"] && page.next == nil, "\(text)")
        }
        for text in ["betty@example.com", "BETTY@Example.com", "bet", "Betty@"] {
            let page = try await search(admin, SearchUsersRequest(limit: 9, search: text))
            #expect(page.users.map(\.email) == ["betty@example.com"], "\(text)")
        }
        #expect(try await search(admin, SearchUsersRequest(limit: 9, search: "nobody@")).users.isEmpty)
        let records = try await looks()
        #expect(records.prefix(5) == Array(repeating: "+4917012345678 search reason: ticket 7", count: 5)[...])
        #expect(records.count == 10 && records.last == "- search: 0 reason: ticket 7")
    }

    @Test(arguments: ["bet_", "b_tty@", "bet%", "%%%", "___", "be*ty", "betty' OR '1'='1", "betty\\"])
    func `a search has no wild cards`(text: String) async throws {
        let admin = try await admin()
        _ = try await fixture.signedIn(.email("betty@example.com"))
        do {
            let page = try await search(admin, SearchUsersRequest(limit: 9, search: text))
            #expect(page.users.isEmpty && page.next == nil, "\(page.users)")
        } catch is InvalidInput {
            // No phone number and no email address begins so.
        }
    }

    @Test func `a list behind a cursor neither repeats nor skips users while others come`() async throws {
        let admin = try await admin()
        var old = [text(admin)]
        for number in 1...7 { old.append(text(try await fixture.signedIn("+1555000010\(number)"))) }
        var (seen, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await search(admin, SearchUsersRequest(limit: 2, cursor: cursor))
            seen += page.users.map(\.id)
            cursor = page.next
            _ = try await fixture.signedIn("+155500002\(seen.count + 10)")
        } while cursor != nil && seen.count < 50
        #expect(Set(seen).count == seen.count && Set(seen).isSuperset(of: old), "\(seen)")
    }

    @Test(arguments: ["", "a", "ab", "+", "+1", "+4x9", "ü@example.com", "a\u{0}b", String(repeating: "a", count: 255)])
    func `a search for nothing is refused, and leaves no record`(text: String) async throws {
        let admin = try await admin()
        let invalid = await #expect(throws: InvalidInput.self) {
            try await search(admin, SearchUsersRequest(limit: 9, search: text))
        }
        #expect(invalid?.member == "search")
        #expect(try await looks().isEmpty)
    }

    @Test func `each user of a page has a record, and pages follow one another`() async throws {
        let admin = try await admin()
        for last in 1...4 {
            fixture.clock.advance(milliseconds: 1)
            _ = try await fixture.signedIn("+1555000000\(last)")
        }
        for request in [SearchUsersRequest(limit: 2), SearchUsersRequest(limit: 2, search: "+1555")] {
            var (seen, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await search(
                    admin, SearchUsersRequest(limit: 2, cursor: cursor, search: request.search))
                (seen, cursor) = (seen + page.users.map(\.id), page.next)
            } while cursor != nil
            #expect(seen.count == 5 && Set(seen).count == 5)
        }
        #expect(try await looks().count == 10)
    }

    @Test(
        arguments: [
            (0, nil, nil), (101, nil, nil), (1, "x", nil), (1, "usr_0", nil), (1, "%%%", "+1555"), (1, "AA", "+1555"),
            (1, String(repeating: "A", count: 600), "+1555"),
        ] as [(Int, String?, String?)])
    func `a page of nothing or behind a forged cursor is refused`(
        limit: Int, cursor: String?, text: String?
    ) async throws {
        let admin = try await admin()
        await #expect(throws: InvalidInput.self) {
            try await search(admin, SearchUsersRequest(limit: limit, cursor: cursor, search: text))
        }
        await #expect(throws: InvalidInput.self) {
            try await search(admin, SearchUsersRequest(limit: 1, search: "+1555", changedSince: 1))
        }
        #expect(try await looks().isEmpty)
    }

    // MARK: - Rights

    @Test func `a role that is taken during a request has no effect on it`() async throws {
        let admin = try await admin()
        let anna = try await fixture.signedIn("+15550000001")
        for change in [
            ChangeUserRequest(userID: text(admin), role: "user"),
            ChangeUserRequest(userID: text(admin), role: "admin", isActive: false),
        ] {
            let refused = await #expect(throws: AdministratorRefusal.self) {
                try await act(admin) { store in
                    #expect(try await fixture.change(change, requestID: nil).isDone)
                    var lookUp = fixture.lookUp
                    lookUp.store = store
                    return try await lookUp(FindUserRequest(key: text(anna)), requestID: "r-1")
                }
            }
            #expect(refused?.code == (change.isActive == false ? .accountInactive : .forbidden))
            let again = ChangeUserRequest(userID: text(admin), role: "admin", isActive: true)
            #expect(try await fixture.change(again, requestID: nil).isDone)
        }
        #expect(try await looks().isEmpty)
    }

    @Test func `the record has the administrator's pseudonym, session and reason`() async throws {
        let admin = try await admin()
        let anna = try await fixture.signedIn("+15550000001")
        let outcome = try await act(admin, reason: "ticket 7") { store in
            var lookUp = fixture.lookUp
            lookUp.store = store
            return try await lookUp(FindUserRequest(key: text(anna)), requestID: "r-1")
        }
        guard case .answer(let found) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let stored = try #require(try await fixture.store.user(anna.id))
        #expect(found.version == stored.tag([]) && found.updatedAt == stored.updatedAt)
        let pseudonym = try #require(try await fixture.store.user(admin.id)).pseudonym.bytes
        let records = try await fixture.texts(
            """
            SELECT method || ' ' || session_id || ' ' || request_id || ' ' || detail FROM audit
            WHERE event = 'user.looked_up'
            """)
        let hex = pseudonym.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(records == ["administrator:\(hex) session-1 r-1 find reason: ticket 7"])
        #expect(OperatorName.anonymous("administrator:\(hex)") == "administrator")
    }

    // MARK: - Versions

    @Test func `of two administrators who begin to replace a number, the second is refused`() async throws {
        let (one, two) = (try await admin(), try await admin("+15550000002"))
        let anna = try await fixture.signedIn("+15550000001")
        let changes = try fixture.wiring("admin: { api: true }").support.phoneChanges
        func version() async throws -> String {
            try #require(try await fixture.lookUp(FindUserRequest(key: text(anna)), requestID: nil).answered.version)
        }
        func replace(_ admin: SignedInUser, _ phone: String?, _ version: String) async throws -> RefusalCode? {
            do {
                let request = ReplacePhoneRequest(userID: text(anna), phone: phone)
                let outcome = try await act(admin, versions: [version]) { store in
                    try await changes.through(store)(request, requestID: nil)
                }
                #expect(outcome == .answer(Done()))
                return nil
            } catch let refused as AdministratorRefusal { return refused.code }
        }
        let read = try await version()
        #expect(try await replace(one, "+15550000008", read) == nil)
        let begun = try await version()
        #expect(begun != read)
        for phone in ["+15550000009", nil] {
            #expect(try await replace(two, phone, read) == .versionMismatch)
        }
        #expect(try await fixture.texts("SELECT number FROM pending_changes") == ["+15550000008"])
        #expect(try await replace(two, "+15550000009", begun) == nil)
        #expect(try await replace(one, nil, try await version()) == nil)
        // Without a change that waits, the user is as they were.
        #expect(try await version() == read)
    }
}

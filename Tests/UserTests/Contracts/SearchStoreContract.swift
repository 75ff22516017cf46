import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// The promises of every engine about finding users by the beginning of an identity, and by the time of their last change.
@Suite struct SearchStoreContract {
    private static func beginning(_ text: String, _ kind: VerifiedIdentity.Kind = .phone) -> IdentityBeginning {
        IdentityBeginning(kind: kind, text: text)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `users are found by the beginning of an identity, page by page, in its order`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        for number in ["+15550000002", "+15550000001", "+15550000003", "+15560000001", "+491701234567"] {
            _ = try await storage.user(number)
        }
        _ = try await storage.signIn(.email("+1555@example.com"))
        func values(_ text: String, after last: String? = nil, limit: Int = 9) async throws -> [String] {
            try await storage.queries.search(Self.beginning(text), after: last, limit: limit).map(\.value)
        }
        #expect(try await values("+1555") == ["+15550000001", "+15550000002", "+15550000003"])
        #expect(try await values("+1555", limit: 2) == ["+15550000001", "+15550000002"])
        #expect(try await values("+1555", after: "+15550000002") == ["+15550000003"])
        #expect(try await values("+15550000002") == ["+15550000002"])
        #expect(try await values("+2").isEmpty)
        #expect(try await values("+1555", after: "+16").isEmpty)
        // A forged cursor lies before the beginning, and a short one is the beginning of values.
        #expect(try await values("+1555", after: "+1000").count == 3)
        #expect(try await values("+1555", after: "+1555000000").count == 3)
        let found = try await storage.queries.search(Self.beginning("+49"), after: nil, limit: 9)
        #expect(found.map(\.user.user.phone) == ["+491701234567"] && found.allSatisfy { $0.user.lastSignInAt == 1_000 })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a beginning is compared letter by letter, and no letter of it is a pattern`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        for address in ["a_b@example.com", "acb@example.com", "ann%@example.com", "anna@example.com"] {
            _ = try await storage.signIn(.email(address))
        }
        for (text, found) in [
            ("a_b", ["a_b@example.com"]), ("ann%", ["ann%@example.com"]), ("%", []), ("_", []), ("' OR 1=1 --", []),
            ("an", ["ann%@example.com", "anna@example.com"]),
        ] {
            let users = try await storage.queries.search(Self.beginning(text, .email), after: nil, limit: 9)
            #expect(users.map(\.value) == found, "\(text)")
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `changed users come newest first, and a page looks at a bounded number of users`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var users: [User] = []
        for number in 0..<9 { users.append(try await storage.user("+1555000000\(number)", now: 1_000 + Int64(number))) }
        for index in [1, 4] {
            users[index].name = "Betty"
            users[index].updatedAt = 5_000
            try await storage.users.put([.update(users[index])], now: 5_000)
        }
        let all = try await storage.queries.changed(since: 5_000, behind: nil, limit: 9)
        #expect(all.users.map(\.user.id) == [users[4].id, users[1].id] && all.next == nil)
        #expect(try await storage.queries.changed(since: 5_001, behind: nil, limit: 9).users.isEmpty)
        #expect(try await storage.queries.changed(since: 1_000, behind: nil, limit: 9).users.count == 9)
        let first = try await storage.queries.changed(since: 5_000, behind: nil, limit: 1)
        #expect(first.users.map(\.user.id) == [users[4].id] && first.next == users[4].id)
        let tables = try #require(storage.queries as? Users)
        var (seen, last, pages): ([UserID], UserID?, Int) = ([], nil, 0)
        repeat {
            let page = try await tables.changed(since: 5_000, behind: last, limit: 9, scanMax: 2)
            (seen, last, pages) = (seen + page.users.map(\.user.id), page.next, pages + 1)
        } while last != nil && pages < 20
        #expect(seen == [users[4].id, users[1].id] && (4...6).contains(pages))
    }
}

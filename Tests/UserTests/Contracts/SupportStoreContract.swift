import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about reading users for support.
@Suite struct SupportStoreContract {
    @Test(arguments: DatabaseKind.allCases)
    func `pages follow one another by id, newest first, each user once`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var users: [User] = []
        for number in 0..<7 {
            users.append(try await storage.user("+1555000000\(number)", now: 1_000 + Int64(number)))
        }
        var seen: [UserID] = []
        var last: UserID?
        repeat {
            let page = try await storage.queries.page(behind: last, limit: 3)
            #expect(page.count <= 3)
            seen += page.map(\.user.id)
            last = page.count == 3 ? page.last?.user.id : nil
        } while last != nil
        #expect(seen == users.reversed().map(\.id))
        #expect(try await storage.queries.page(behind: users[0].id, limit: 3).isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a page begins behind an id, whether somebody has it or not`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let first = try await storage.user("+15550000001", now: 1_000)
        let last = try await storage.user("+15550000002", now: 1_002)
        let between = UserID(milliseconds: 1_001_000) { [UInt8](repeating: 0, count: $0) }
        let page = try await storage.queries.page(behind: between, limit: 9)
        #expect(page.map(\.user.id) == [first.id])
        let all = try await storage.queries.page(behind: nil, limit: 9)
        #expect(all.map(\.user.id) == [last.id, first.id])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `users are counted by their state`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        #expect(
            try await storage.queries.counts() == UserCounts(users: 0, inactive: 0, scheduled: 0, reviewers: 0))
        for number in 0..<3 { _ = try await storage.user("+1555000000\(number)") }
        var inactive = try await storage.user("+15550000010")
        inactive.isActive = false
        try await storage.users.put([.update(inactive)], now: 1_000)
        _ = try await storage.giveUp(try await storage.user("+15550000011"), dueAt: 9_000)
        _ = try await storage.signIn(.phone("+15550000012"), reviewEndsAt: 9_000)
        #expect(
            try await storage.queries.counts() == UserCounts(users: 6, inactive: 1, scheduled: 1, reviewers: 1))
    }
}

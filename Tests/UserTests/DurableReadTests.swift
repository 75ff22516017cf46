import Logging
import PostgreSQL
import Storage
import TestSupport
import Testing
import UserTables

@testable import UserCore

/// Responses that an account does not exist, or may not be used, wait until what was read is durable.
@Suite(.timeLimit(.minutes(2))) struct DurableReadTests {
    @Test func `an account is missing only once that is durable`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let home = try await StorageUnderTest(.postgreSQL, at: server.url)
            let storage = try home.replica()
            let user = try await storage.user()
            let unknown = UserID(milliseconds: 1, random: { Array(repeating: 0, count: $0) })
            #expect(try await storage.queries.bearer(unknown) == nil)
            let given = try await storage.giveUp(try await storage.user("+15551234568"), dueAt: 9_000)
            #expect(try await storage.queries.bearer(given.id)?.deletion != nil)
            try server.set("synchronous_standby_names = 'nobody'")
            try await eventually("commits wait") {
                do { try await storage.users.confirm() } catch is StorageError { return true }
                return false
            }
            #expect(try await storage.queries.bearer(user.id)?.id == user.id)
            for id in [unknown, given.id] {
                await #expect { _ = try await storage.queries.bearer(id) } throws: {
                    ($0 as? StorageError)?.code == .unknown
                }
            }
        }
    }
}

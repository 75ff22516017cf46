import InternalAPI
import Logging
import Storage
import TestSupport
import Testing

@testable import TokenCore
@testable import TokenTables

/// The last use that is kept of expired sessions.
@Suite struct SessionSweepTests {
    @Test(arguments: DatabaseKind.allCases)
    func `the newest use outlives the sessions`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        for time in [1_001, 1_000] as [Int64] { _ = try await storage.opened(at: time) }
        let database = try #require(storage.storage.engine as? any StorageDatabase)
        let sweeper = Sweeper(
            database: database, sweeps: [], holder: "a", now: { 4_000_000_000 }, logger: Logger(label: "test"),
            pause: { _ in })
        let sessions = try #require(ExpiredRows.tables.first { $0.kind == "sessions" })
        #expect(try await sweeper.pass(SessionSweep(rows: sessions)) == 2)
        #expect(try await storage.sessions.allSessions(ofUser: StorageUnderTest.user, before: nil, limit: 9).isEmpty)
        #expect(try await storage.sessions.newestUse(ofUser: StorageUnderTest.user) == NewestUse(at: 1_001))
        // A later session is newer than what remains.
        _ = try await storage.opened(at: 2_000)
        #expect(try await storage.sessions.newestUse(ofUser: StorageUnderTest.user).at == 2_000)
    }
}

import InternalAPI
import Logging
import Storage
import TestSupport
import Testing

@testable import TokenCore
@testable import TokenTables

/// The last use that is kept of expired sessions.
@Suite(.timeLimit(.minutes(5))) struct SessionSweepTests {
    private static let user = StorageUnderTest.user
    private static let late: Int64 = 4_000_000_000

    private func database(_ storage: StorageReplica) throws -> any StorageDatabase {
        try #require(storage.storage.engine as? any StorageDatabase)
    }

    /// - Returns: the number of sessions that were removed.
    @discardableResult
    private func sweep(_ storage: StorageReplica, at now: Int64 = late) async throws -> Int {
        let sweeper = Sweeper(
            database: try database(storage), sweeps: [], holder: "a", now: { now }, logger: Logger(label: "test"),
            pause: { _ in })
        var sessions = 0
        for sweep in ExpiredRows.sweeps(storage.home.policy) {
            let removed = try await sweeper.pass(sweep)
            if sweep is SessionSweep { sessions += removed }
        }
        return sessions
    }

    private func rows(_ storage: StorageReplica) async throws -> [[Int64?]] {
        try await database(storage).read { reading in
            try reading.rows("SELECT epoch, expires_at, last_used_at FROM user_epochs").map { row in
                (0..<3).map { row.optionalInteger($0) }
            }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the newest use outlives the sessions`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        for time in [1_001, 1_000] as [Int64] { _ = try await storage.opened(at: time) }
        #expect(try await sweep(storage) == 2)
        #expect(try await storage.sessions.allSessions(ofUser: Self.user, before: nil, limit: 9).isEmpty)
        #expect(try await storage.sessions.newestUse(ofUser: Self.user) == NewestUse(at: 1_001))
        #expect(try await rows(storage) == [[0, nil, 1_001]])
        // A later session is newer than the kept time, and a second sweep keeps the newer of both.
        _ = try await storage.opened(at: 2_000)
        #expect(try await storage.sessions.newestUse(ofUser: Self.user).at == 2_000)
        #expect(try await sweep(storage) == 1)
        #expect(try await storage.sessions.newestUse(ofUser: Self.user).at == 2_000)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a refresh counts, and a raised epoch stays`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened(epoch: 5)
        #expect(try await storage.sessions.apply(.rotate(.numbered(1)), to: session, now: 1_080) == .applied)
        let used = try #require(try await storage.sessions.session(at: session.locator)).lastUsedAt
        #expect(try await sweep(storage) == 1)
        #expect(try await rows(storage) == [[5, nil, used]])
        let stale = try await storage.opening(epoch: 4, at: 3_000)
        guard case .grantStale = try await storage.sessions.open(stale, now: 3_000) else {
            Issue.record("a grant below the epoch opened a session")
            return
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `nothing is kept of a removed user, before and after a sweep`(_ engine: DatabaseKind) async throws {
        for isSwept in [true, false] {
            let storage = try await StorageUnderTest(engine).replica()
            _ = try await storage.opened()
            if isSwept { try await sweep(storage, at: 2_000 + 8 * 86_400) }
            let now = 2_001 + 8 * 86_400 as Int64
            let ended = try await storage.sessions.endAll(
                ofUser: Self.user, below: 2, sparing: .nothing, reason: .deleted, now: now)
            try await storage.revocations.markPublished(ended.map(\.sessionID))
            _ = try await storage.sessions.removeEnded(ofUser: Self.user, limit: 9)
            try await storage.sessions.forgetEpoch(
                ofUser: Self.user, at: now + RemoveUser.epochOutlivesSeconds, now: now)
            #expect(try await rows(storage).count == 1)
            try await sweep(storage)
            #expect(try await rows(storage).isEmpty)
            #expect(try await storage.sessions.newestUse(ofUser: Self.user) == NewestUse(at: nil))
        }
    }
}

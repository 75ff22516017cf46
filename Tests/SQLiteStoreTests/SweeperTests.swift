import Foundation
import GRDB
import Logging
import SQLiteStore
import Synchronization
import Testing

@Suite struct SweeperTests {
    private static let table = Migration(
        "grants",
        """
        CREATE TABLE grants (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX grants_by_expiry ON grants (expires_at)
        """)
    private static let sweep = IndexedSweep(table: "grants", key: "id", expiry: "expires_at", outlivesSeconds: 10)

    private func filled(_ folder: ScratchFolder, _ count: Int) async throws -> SQLiteDatabase {
        let database = try folder.open([Self.table, Lease.migration])
        try await database.write { database in
            for number in 0..<count {
                try database.execute(sql: "INSERT INTO grants VALUES (?, ?)", arguments: ["\(number)", number])
            }
        }
        return database
    }

    private func sweeper(
        _ database: SQLiteDatabase, holder: String = "a", now: Int64, pauses: Pauses = Pauses()
    ) -> Sweeper {
        Sweeper(
            database: database, sweeps: [], holder: holder, now: { now }, logger: Logger(label: "test"),
            pause: { _ in pauses.count.withLock { $0 += 1 } })
    }

    final class Pauses: Sendable { let count = Mutex(0) }

    private func count(_ database: SQLiteDatabase) async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grants") ?? -1 }
    }

    @Test func `what has expired goes, a bounded number at a time with pauses, and the rest stays`() async throws {
        let folder = try ScratchFolder()
        let database = try await filled(folder, 1_000)
        let pauses = Pauses()
        // The last that has expired for ten seconds is number 500.
        #expect(try await sweeper(database, now: 510, pauses: pauses).pass(Self.sweep) == 501)
        #expect(try await count(database) == 499)
        #expect(pauses.count.withLock { $0 } == 501 / SweepLimits.rowsPerBatchMax)
        #expect(try await sweeper(database, now: 510).pass(Self.sweep) == 0)
    }

    @Test func `of two replicas one sweeps`() async throws {
        let folder = try ScratchFolder()
        let database = try await filled(folder, 10)
        let lease = Lease(name: "sweep", holder: "b", lifetimeSeconds: SweepLimits.leaseSeconds)
        _ = try await database.write { try lease.take(now: 100, in: $0) }
        #expect(try await sweeper(database, now: 100).pass(Self.sweep) == 0)
        #expect(try await count(database) == 10)
        #expect(try await sweeper(database, now: 100 + SweepLimits.leaseSeconds).pass(Self.sweep) == 10)
    }

    @Test func `search and removal go by an index`() async throws {
        let folder = try ScratchFolder()
        let database = try await filled(folder, 1)
        for sql in [Self.sweep.search, Self.sweep.removal] {
            let plan = try await database.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: ["1", 2])
                    .map { $0["detail"] as String }.joined(separator: "; ")
            }
            #expect(plan.contains("SEARCH grants USING") && !plan.contains("SCAN") && !plan.contains("TEMP"), "\(plan)")
        }
    }
}

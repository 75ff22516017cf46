import Foundation
import GRDB
import Logging
import SQLiteStore
import Storage
import Synchronization
import Testing

@Suite struct SweeperTests {
    private static let table = Migration(
        "grants",
        """
        CREATE TABLE grants (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE numbered (id INTEGER PRIMARY KEY, expires_at INTEGER NOT NULL);
        CREATE TABLE named (id BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID
        """)
    private static let sweep = ExpirySweep(table: "grants", key: "id", expiry: "expires_at", outlivesSeconds: 10)

    private func filled(_ folder: ScratchFolder, _ count: Int) async throws -> SQLiteDatabase {
        let database = try folder.open([Self.table, ScratchFolder.leases])
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

    @Test(arguments: ["grants", "numbered", "named"])
    func `a pass reaches all rows, whatever their keys are`(table: String) async throws {
        let folder = try ScratchFolder()
        let database = try folder.open([Self.table, ScratchFolder.leases])
        let last = 3 * SweepLimits.rowsPerLookMax
        // One of a hundred has expired, and the first and the last one.
        try await database.write { database in
            for number in -1...last {
                let key = table == "named" ? "CAST('\(number)' AS BLOB)" : "\(number)"
                let expiry = number % 100 == 0 || number == -1 || number == last ? 5 : 15
                try database.execute(sql: "INSERT INTO \(table) VALUES (\(key), \(expiry))")
            }
        }
        let sweep = ExpirySweep(table: table, key: "id", expiry: "expires_at")
        let pauses = Pauses()
        #expect(try await sweeper(database, now: 10, pauses: pauses).pass(sweep) == last / 100 + 3)
        #expect(pauses.count.withLock { $0 } == 3)
        let left = try await database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table) WHERE expires_at < 10")
        }
        #expect(left == 0)
    }

    /// Finds the same row at each look, and never removes it.
    private struct StuckSweep: Sweep {
        let kind = "stuck"
        let interval: Duration = .seconds(60)

        func find(from start: DatabaseValue?, now: Int64, in database: Database) -> SweepFinding {
            SweepFinding(keys: [1.databaseValue], next: 1.databaseValue)
        }

        func remove(_ keys: [DatabaseValue], now: Int64, in database: Database) -> Int { 0 }
    }

    @Test(.timeLimit(.minutes(5))) func `a row that may not go does not keep a pass from ending`() async throws {
        let folder = try ScratchFolder()
        let database = try await filled(folder, 1)
        let pauses = Pauses()
        #expect(try await sweeper(database, now: 100, pauses: pauses).pass(StuckSweep()) == 0)
        #expect(pauses.count.withLock { $0 } == 1)
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
}

import Logging
import Storage
import Synchronization
import Testing

/// The removal of expired rows.
@Suite(.timeLimit(.minutes(5))) struct SweeperTests {
    private static let sweep = ExpirySweep(table: "lettered", key: "id", expiry: "expires_at", outlivesSeconds: 10)

    /// Returns a database with rows that expire at the seconds from 0 on.
    private func filled(_ kind: DatabaseKind, _ count: Int) async throws -> DatabaseUnderTest {
        let test = try await DatabaseUnderTest(kind)
        try await fill("lettered", of: test.database, (0..<count).map { ("\($0)".sqlValue, $0) })
        return test
    }

    private func fill(
        _ table: String, of database: any StorageDatabase, _ rows: [(key: SQLValue, expiry: Int)]
    ) async throws {
        try await database.write { transaction in
            try transaction.run(
                rows.map { Statement("INSERT INTO \(table) (id, expires_at) VALUES ($1, $2)", $0.key, $0.expiry) })
        }
    }

    private func sweeper(
        _ database: any StorageDatabase, now: Int64, pauses: Pauses = Pauses()
    ) -> Sweeper {
        Sweeper(
            database: database, sweeps: [], holder: "a", now: { now }, logger: Logger(label: "test"),
            pause: { _ in pauses.count.withLock { $0 += 1 } })
    }

    final class Pauses: Sendable { let count = Mutex(0) }

    @Test(arguments: DatabaseKind.allCases)
    func `what has expired goes, a bounded number at a time with pauses, and the rest stays`(
        kind: DatabaseKind
    ) async throws {
        let test = try await filled(kind, 1_000)
        let database = test.database
        let pauses = Pauses()
        // The last that has expired for ten seconds is number 500.
        #expect(try await sweeper(database, now: 510, pauses: pauses).pass(Self.sweep) == 501)
        #expect(try await database.integer("SELECT count(*) FROM lettered") == 499)
        #expect(pauses.count.withLock { $0 } == 501 / SweepLimits.rowsPerBatchMax)
        #expect(try await sweeper(database, now: 510).pass(Self.sweep) == 0)
    }

    @Test(arguments: DatabaseKind.allCases, ["lettered", "numbered", "named"])
    func `a pass reaches all rows, whatever their keys are`(kind: DatabaseKind, table: String) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        let last = 3 * SweepLimits.rowsPerLookMax
        // One of a hundred has expired, and the first and the last one.
        try await fill(
            table, of: database,
            (-1...last).map { number in
                let text = "\(number)"
                let key =
                    switch table {
                    case "numbered": number.sqlValue
                    case "named": Array(text.utf8).sqlValue
                    default: text.sqlValue
                    }
                return (key, number % 100 == 0 || number == -1 || number == last ? 5 : 15)
            })
        let sweep = ExpirySweep(table: table, key: "id", expiry: "expires_at")
        let pauses = Pauses()
        #expect(try await sweeper(database, now: 10, pauses: pauses).pass(sweep) == last / 100 + 3)
        #expect(pauses.count.withLock { $0 } == 3)
        #expect(try await database.integer("SELECT count(*) FROM \(table) WHERE expires_at < 10") == 0)
    }

    /// Finds the same row at each look, and never removes it.
    private struct StuckSweep: Sweep {
        let kind = "stuck"
        let interval: Duration = .seconds(60)

        func find(from start: SQLValue, now: Int64, in reader: any StatementReader) -> SweepFinding {
            SweepFinding(keys: [.integer(1)], next: .integer(1))
        }

        func remove(_ keys: [SQLValue], now: Int64, in transaction: any Transaction) -> Int { 0 }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a row that may not go does not keep a pass from ending`(kind: DatabaseKind) async throws {
        let test = try await filled(kind, 1)
        let database = test.database
        let pauses = Pauses()
        #expect(try await sweeper(database, now: 100, pauses: pauses).pass(StuckSweep()) == 0)
        #expect(pauses.count.withLock { $0 } == 1)
    }

    @Test(arguments: DatabaseKind.allCases) func `one of two replicas sweeps`(kind: DatabaseKind) async throws {
        let test = try await filled(kind, 10)
        let database = test.database
        let lease = Lease(name: "sweep", holder: "b", lifetimeSeconds: SweepLimits.leaseSeconds)
        _ = try await database.write { try lease.take(now: 100, in: $0) }
        #expect(try await sweeper(database, now: 100).pass(Self.sweep) == 0)
        #expect(try await database.integer("SELECT count(*) FROM lettered") == 10)
        try await database.age(SweepLimits.leaseSeconds)
        #expect(try await sweeper(database, now: 100).pass(Self.sweep) == 10)
    }
}

import GRDB
import InternalAPI
import Logging
import SQLiteStore
import Testing

@testable import TokenCore

@Suite struct ExpiredRowsTests {
    private func sweep(_ bench: TokenBench, _ replica: Replica) async throws -> [String: Int] {
        let sweeper = Sweeper(
            database: replica.database, sweeps: [], holder: "a", now: { [clock = bench.clock] in clock.now },
            logger: Logger(label: "test"), pause: { _ in })
        var removed: [String: Int] = [:]
        for sweep in ExpiredRows.sweeps(bench.policy) { removed[sweep.kind] = try await sweeper.pass(sweep) }
        return removed
    }

    private func count(_ table: String, _ replica: Replica) async throws -> Int {
        try await replica.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    @Test func `what still matters stays`() async throws {
        let bench = try TokenBench()
        let replica = try await bench.replica()
        let tokens = try await replica.signIn(bench)
        try await replica.logout(refresh: tokens.refreshToken)
        _ = try await replica.signIn(bench)
        #expect(try await sweep(bench, replica).values.allSatisfy { $0 == 0 })
    }

    @Test func `grants, revocations and sessions go when they have expired, and the audit with the retention`()
        async throws
    {
        let bench = try TokenBench()
        let replica = try await bench.replica()
        for _ in 0..<3 { try await replica.logout(refresh: try await replica.signIn(bench).refreshToken) }
        for _ in 0..<70 { _ = try await replica.signIn(bench) }
        bench.clock.advance(400 * 86_400)
        let alive = try await replica.signIn(bench)
        let removed = try await sweep(bench, replica)
        #expect(removed["spent_grants"] == 73)
        #expect(removed["revocations"] == 3)
        #expect(removed["sessions"] == 73)
        #expect(try await count("sessions", replica) == 1)
        #expect(try await count("audit", replica) == 1)
        #expect(try await replica.database.read { try AuditVerification.run(in: $0).rows } == 1)
        #expect(try await replica.refresh(alive.refreshToken).tokens != nil)
    }

    @Test(arguments: [SessionSweep.lookEnd, SessionSweep.search, SessionSweep.removal])
    func `no look at the sessions passes more rows than it may`(sql: String) async throws {
        let bench = try TokenBench()
        let replica = try await bench.replica()
        let plan = try await plan(sql, replica)
        #expect(plan.contains("SEARCH sessions USING INTEGER PRIMARY KEY") && !plan.contains("TEMP"), "\(plan)")
    }

    @Test(arguments: ExpiredRows.tables.filter { $0.kind != "key_revocations" }.flatMap { [$0.search, $0.removal] })
    func `an index leads to what has expired`(sql: String) async throws {
        let bench = try TokenBench()
        let replica = try await bench.replica()
        let plan = try await plan(sql, replica)
        #expect(plan.contains("SEARCH") && !plan.contains("SCAN") && !plan.contains("TEMP"), "\(plan)")
    }

    private func plan(_ sql: String, _ replica: Replica) async throws -> String {
        try await replica.database.read { database in
            // A plan does not depend on the values: unbound parameters are null.
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0["detail"] as String }.joined(separator: "; ")
        }
    }
}

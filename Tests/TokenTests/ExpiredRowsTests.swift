import GRDB
import InternalAPI
import Logging
import Storage
import TestSupport
import Testing

@testable import SQLiteStore
@testable import TokenCore
@testable import TokenTables

@Suite struct ExpiredRowsTests {
    private func sweep(_ fixture: TokenFixture, _ replica: Replica) async throws -> [String: Int] {
        let sweeper = Sweeper(
            database: replica.database, sweeps: [], holder: "a", now: { [clock = fixture.clock] in clock.now },
            logger: Logger(label: "test"), pause: { _ in })
        var removed: [String: Int] = [:]
        for sweep in ExpiredRows.sweeps(fixture.policy) { removed[sweep.kind] = try await sweeper.pass(sweep) }
        return removed
    }

    private func count(_ table: String, _ replica: Replica) async throws -> Int {
        try await replica.database.withReader { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    @Test func `what still matters stays`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        try await replica.logout(refresh: tokens.refreshToken)
        _ = try await replica.signIn(fixture)
        #expect(try await sweep(fixture, replica).values.allSatisfy { $0 == 0 })
    }

    @Test func `grants, revocations and sessions go when they have expired, and the audit with the retention`()
        async throws
    {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        for _ in 0..<3 { try await replica.logout(refresh: try await replica.signIn(fixture).refreshToken) }
        for _ in 0..<70 { _ = try await replica.signIn(fixture) }
        fixture.clock.advance(400 * 86_400)
        let alive = try await replica.signIn(fixture)
        let removed = try await sweep(fixture, replica)
        #expect(removed["used_grants"] == 73)
        #expect(removed["revocations"] == 3)
        #expect(removed["sessions"] == 73)
        #expect(try await count("sessions", replica) == 1)
        #expect(try await count("audit", replica) == 1)
        #expect(try await replica.database.read { try AuditVerification.run(in: $0)?.slots.first?.records } == 1)
        #expect(try await replica.refresh(alive.refreshToken).tokens != nil)
    }

    @Test(arguments: ExpiredRows.tables)
    func `no look passes more rows than it may`(sweep: ExpirySweep) async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        for (sql, range) in [(sweep.lookEnd, ">?)"), (sweep.search, ">? AND"), (sweep.removal, "=?)")] {
            let plan = try await replica.database.read { try QueryPlan.of(sql, in: $0) }
            #expect(plan.contains("PRIMARY KEY") && plan.contains(range), "\(plan)")
            #expect(!plan.contains("SCAN") && !plan.contains("TEMP"), "\(plan)")
        }
    }
}

import InternalAPI
import Logging
import PostgreSQL
import Storage
import TestSupport
import Testing

@testable import TokenCore
@testable import TokenTables

/// Properties of token-service's storage in PostgreSQL beyond the contracts.
@Suite(.timeLimit(.minutes(5))) struct PostgresTests {
    @Test(arguments: [
        StorageUnderTest.user, "usr_1", "", "sixteen bytes ok", "fifteen bytes o",
        "a user id of more than sixteen bytes",
        "usr_0190A1B2C3D4E5F60718293A4B5C6D7E", "jürgen",
    ])
    func `a user id is stored in a form of its own`(_ id: String) {
        let ids = StoredUserID(prefix: "usr_")
        #expect(ids.text(ids.value(id)) == id)
        #expect((ids.value(id).count == 16) == (id == StorageUnderTest.user))
    }

    @Test func `what has expired is removed in batches, and nothing else`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        let storage = try home.replica()
        for _ in 0..<70 { _ = try await storage.opened(at: 1_000) }
        let young = try await storage.opened(at: 3_000)
        let schema = try #require(home.schema)
        let logger = Logger(label: "test")
        let database = try PostgreSQLDatabase.open(schema, migrations: TokenDatabase.schemaSteps, logger: logger)
        var counts: [String: Int] = [:]
        for sweep in ExpiredRows.tables {
            let sweeper = Sweeper(
                database: database, sweeps: [], holder: "me", now: { 2_001 + 7 * 86_400 }, logger: logger)
            counts[sweep.kind] = try await sweeper.pass(sweep)
        }
        #expect(counts["sessions"] == 70 && counts["used_grants"] == 71)
        #expect(try await storage.sessions.session(at: young.locator) == young)
    }

    @Test func `a session is missing or revoked only once that is durable`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let home = try await StorageUnderTest(.postgreSQL, at: server.url)
            let storage = try home.replica()
            let session = try await storage.opened()
            #expect(try await storage.sessions.durableSession(at: session.locator) == session)
            #expect(try await storage.sessions.durableSession(named: session.id) == session)
            #expect(try await storage.sessions.durableSession(at: session.locator + 1) == nil)
            try server.set("synchronous_standby_names = 'nobody'")
            try await eventually("commits wait") {
                do { try await storage.sessions.confirm() } catch is StorageError { return true }
                return false
            }
            #expect(try await storage.sessions.session(at: session.locator) == session)
            let reads: [@Sendable () async throws -> Void] = [
                { _ = try await storage.sessions.durableSession(at: session.locator + 1) },
                { _ = try await storage.sessions.durableSession(named: session.id) },
                { _ = try await storage.sessions.sessions(ofUser: StorageUnderTest.user, limit: 1, now: 1_000) },
            ]
            for read in reads {
                await #expect { try await read() } throws: { ($0 as? StorageError)?.code == .unknown }
            }
        }
    }

    @Test func `refreshes that arrive together are written each as its own`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        let replicas = [try home.replica(), try home.replica()]
        var seen: [SessionRecord] = []
        for _ in 0..<40 { seen.append(try await replicas[0].opened()) }
        let sessions = seen
        let ended = sessions[7]
        _ = try await replicas[0].sessions.end(ended.id, reason: .logout, now: 1_400)
        // Odd ones rotate, even ones repeat.
        let results = try await concurrently(80) { number in
            let (session, replica) = (sessions[number % 40], replicas[number / 40])
            let change: SessionChange =
                number % 2 == 1 ? .rotate(.numbered(1)) : .answerAgain(accessExpiresAt: 5_000)
            return (number % 40, try await replica.sessions.apply(change, to: session, now: 1_500))
        }
        for (place, session) in sessions.enumerated() {
            let applied = results.count { $0.0 == place && $0.1 == .applied }
            #expect(applied == (place == 7 ? 0 : place % 2 == 1 ? 1 : 2))
            let change: SessionChange = place % 2 == 1 ? .rotate(.numbered(1)) : .answerAgain(accessExpiresAt: 5_000)
            guard place != 7 else { continue }
            #expect(try await replicas[1].sessions.session(at: session.locator) == session.after(change, now: 1_500))
        }
    }

    @Test func `a lease is taken by the clock of the database`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        let replicas = [try home.replica(), try home.replica()]
        func lease(_ holder: String, seconds: Int64 = 60) -> Lease {
            Lease(name: "job", holder: holder, lifetimeSeconds: seconds)
        }
        #expect(try await replicas[0].storage.leases.take(lease("a"), now: 0))
        #expect(try await replicas[0].storage.leases.take(lease("a"), now: 0))
        #expect(try await !replicas[1].storage.leases.take(lease("b"), now: .max))
        try await replicas[0].storage.leases.release(lease("a"))
        #expect(try await replicas[1].storage.leases.take(lease("b", seconds: 0), now: 0))
        #expect(try await replicas[0].storage.leases.take(lease("a"), now: 0))
    }

    @Test func `the sessions that a sign-in ends are found by indexes, also among many`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        let replica = try home.replica()
        let session = try await replica.opened()
        let database = try #require(replica.storage.engine as? PostgreSQLDatabase)
        let columns = SessionRecord.Column.allCases.filter { ![.locator, .sid, .userID].contains($0) }.map(\.sql)
            .joined(separator: ", ")
        let plan = try await database.write { transaction in
            try transaction.run(
                """
                INSERT INTO sessions (locator, sid, user_id, \(columns))
                SELECT 1000000 + n, decode(lpad(to_hex(n), 24, '0'), 'hex'), decode(lpad(to_hex(n / 5), 32, '0'), 'hex'), \(columns)
                FROM sessions, generate_series(1, 30000) AS n WHERE locator = $1
                """, session.locator)
            try transaction.run("ANALYZE sessions")
            try transaction.run("PREPARE ending AS \(Sessions.ending)")
            return try transaction.rows(
                "EXPLAIN (ANALYZE) EXECUTE ending('\\x0190a1b2c3d4e5f60718293a4b5c6d7e', 1000, 3, 16, '\\x01')"
            ).map { $0.text(0) }
        }
        #expect(plan.allSatisfy { !$0.contains("Seq Scan") && !$0.contains("SubPlan") }, "\(plan)")
        #expect(plan.allSatisfy { !$0.contains("Rows Removed by Filter") }, "\(plan)")
    }
}

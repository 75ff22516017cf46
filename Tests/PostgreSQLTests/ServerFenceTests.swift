import Foundation
import Logging
import Storage
import TestSupport
import Testing

@testable import PostgreSQL

/// A primary that another server has replaced, and comes back or wakes up.
@Suite(.timeLimit(.minutes(3))) struct ServerFenceTests {
    // MARK: - The rule

    private static let record = ServerRecord(identifier: 7, number: 1_000)

    private static func rank(timeline: Int64, _ record: ServerRecord = record) throws -> Int64 {
        let identity = ServerIdentity(identifier: record.identifier, timeline: timeline, record: record)
        guard case .accepted(let rank) = identity.judge(highest: nil) else {
            throw StorageError(.other, "not accepted")
        }
        return rank
    }

    @Test func `a higher timeline, and a later record, replace the server before`() throws {
        let first = try Self.rank(timeline: 1)
        let promoted = try Self.rank(timeline: 2)
        let moved = try Self.rank(timeline: 1, ServerRecord(identifier: 8, number: 1_001))
        #expect(first < promoted && promoted < moved)
        let old = ServerIdentity(identifier: 7, timeline: 1, record: Self.record)
        #expect(old.judge(highest: first) == .accepted(rank: first))
        #expect(old.judge(highest: promoted) == .replaced)
        #expect(old.judge(highest: moved) == .replaced)
    }

    @Test func `a server that is not noted is refused, and no record is no check`() {
        #expect(ServerIdentity(identifier: 8, timeline: 9, record: Self.record).judge(highest: nil) == .otherServer)
        #expect(ServerIdentity(identifier: 8, timeline: 9, record: nil).judge(highest: .max) == .unchecked)
    }

    @Test(arguments: [(Int64.max, Int64.max), (-1, -1), (1_800_000_000, 0xFFFF_FFFF)])
    func `every rank is exact as a number of Redis`(_ number: Int64, _ timeline: Int64) throws {
        let rank = try Self.rank(timeline: timeline, ServerRecord(identifier: 7, number: number))
        #expect(rank >= 0 && Int64(Double(rank)) == rank && rank < 1 << 53)
    }

    // MARK: - Real servers

    private static func configuration(
        _ ports: [Int], of test: DatabaseUnderTest, user: String = "postgres", _ logger: Logger = Logger(label: "test")
    ) throws -> PostgreSQLConfiguration {
        var configuration = try test.configuration(ofServersAt: ports, user: user)
        configuration.logger = logger
        return configuration
    }

    private static func open(_ configuration: PostgreSQLConfiguration) throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase.open(configuration, migrations: [], logger: Logger(label: "test"))
    }

    /// Runs `body` with a primary and its standby, which both have the schema.
    private func withPair(
        _ body: (DatabaseUnderTest, _ primary: PostgreSQLServer, _ standby: PostgreSQLServer) async throws -> Void
    ) async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { primary in
            try await withStandby(of: primary) { standby in
                let test = try await DatabaseUnderTest(url: primary.url)
                try await eventually("the standby has the table") {
                    try await standby.psql("SELECT to_regclass('\"\(test.configuration.schema)\".items') IS NOT NULL")
                        == "t"
                }
                try await body(test, primary, standby)
            }
        }
    }

    @Test func `a primary that comes back is passed over, by a process that has run and by one that starts`()
        async throws
    {
        try await withPair { test, primary, standby in
            let database = try Self.open(try Self.configuration([primary.port, standby.port], of: test))
            try await primary.kill()
            try await standby.promote()
            try await eventually("writes work") {
                do { try await database.add(1, "new") } catch is StorageError { return false }
                return true
            }
            try await primary.launch()
            #expect(try await database.names() == ["new"])
            // The old primary is the first host of the URL.
            let started = try Self.open(try Self.configuration([primary.port, standby.port], of: test))
            #expect(try await started.names() == ["new"])
            try await standby.kill()
            // The connection of either may be lost in the call.
            for database in [database, started] {
                await #expect(throws: StorageError.self) { try await database.names() }
                let refusal = await #expect(throws: StorageError.self) { try await database.names() }
                #expect(refusal?.code == .io)
            }
        }
    }

    @Test func `connections to a primary that wakes up are closed once a newer server is known`() async throws {
        try await withPair { test, primary, standby in
            let old = try Self.open(try Self.configuration([primary.port], of: test))
            _ = try await old.names()
            try primary.freeze()
            try await standby.promote()
            let new = try Self.open(try Self.configuration([standby.port], of: test))
            try await new.add(1, "new")
            try primary.thaw()
            #expect(try await old.names() == [])
            // The replicas exchange the rank by Redis, where it outlives a restart.
            let rank = try #require(new.exchangeServerRank(nil))
            #expect(old.exchangeServerRank(rank) == rank)
            let refusal = await #expect(throws: StorageError.self) { try await old.names() }
            #expect(refusal?.message.contains("has replaced") == true, "\(String(describing: refusal))")
        }
    }

    @Test func `a copy on another server is used once its schema's owner has noted the server`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let test = try await DatabaseUnderTest(url: server.url)
            let configuration = try Self.configuration([server.port], of: test)
            let table = "\"\(test.configuration.schema)\".server_record"
            let before = try Self.open(configuration)
            // pg_restore copies the row that names the server it was dumped from.
            _ = try await server.psql("UPDATE \(table) SET identifier = identifier + 1")
            let refusal = #expect(throws: StorageError.self) {
                try Self.open(try Self.configuration([server.port], of: test))
            }
            #expect(refusal?.code == .io && refusal?.message.contains("begin-epoch") == true)
            try Migration.run([DatabaseUnderTest.items], configuration)
            let after = try Self.open(try Self.configuration([server.port], of: test))
            let ranks = try (#require(before.exchangeServerRank(nil)), #require(after.exchangeServerRank(nil)))
            #expect(ranks.0 < ranks.1)
            // A second run changes nothing.
            let number = try await server.psql("SELECT number FROM \(table)")
            try Migration.run([DatabaseUnderTest.items], configuration)
            #expect(try await server.psql("SELECT number FROM \(table)") == number)
            try await after.write { try $0.noteServer(from: 5) }
            #expect(try await server.psql("SELECT number - \(number) FROM \(table)") == "1")
            try await after.write { try $0.noteServer(from: 4_000_000_000) }
            #expect(try await server.psql("SELECT number FROM \(table)") == "4000000000")
        }
    }

    @Test func `a server that does not offer its identity is used, and the log says so once`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let test = try await DatabaseUnderTest(url: server.url)
            let schema = "\"\(test.configuration.schema)\""
            _ = try await server.psql(
                """
                CREATE ROLE service LOGIN; GRANT USAGE ON SCHEMA \(schema) TO service;
                GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA \(schema) TO service;
                REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC
                """)
            let log = TestLog(from: .warning)
            let database = try Self.open(
                try Self.configuration([server.port], of: test, user: "service", log.logger))
            try await database.add(1, "a")
            #expect(database.exchangeServerRank(nil) == nil)
            #expect(log.lines.count { $0.hasPrefix("postgresql.server_not_checked") } == 1, "\(log.lines)")
        }
    }
}

import GRDB
import Logging
import Policies
import PostgreSQL
import PrivateFiles
import SQLiteStore
import Storage
import TestSupport
import Testing
import TokenCore
import TokenTables

@testable import ControlCore

/// Moving a file into PostgreSQL: everything arrives, and nothing is lost or used twice whatever happens meanwhile.
@Suite(.timeLimit(.minutes(5))) struct FileMoveTests {
    @Test(arguments: MovedService.allCases)
    func `every row of every table arrives, and the audit is verified`(_ service: MovedService) async throws {
        let home = try await MoveUnderTest.make(service)
        let plan = try home.plan()
        let before = try plan.tables.map { try home.rowsOfFile($0) }
        #expect(before.allSatisfy { !$0.isEmpty })
        try home.move()
        for (table, rows) in zip(plan.tables, before) {
            #expect(try await home.rowsOfSchema(table) == rows, "\(table.name)")
        }
        #expect(home.lines.last?.hasPrefix("copied ") == true)
        #expect(home.lines.contains { $0.hasSuffix("the audit is sound (4 records)") }, "\(home.lines)")
        _ = try await home.openSchema()
        // Services do not go on with the file.
        let moved = await #expect(throws: StorageError.self) { try await home.change { _ in } }
        #expect(moved?.message.contains("moved to postgres://127.0.0.1:") == true, "\(String(describing: moved))")
        try home.move()
        #expect(home.lines.last?.hasSuffix("nothing to do") == true)
    }

    @Test func `numbers continue, and so does the chain of the audit`() async throws {
        let home = try await MoveUnderTest.make(.user)
        try home.move()
        #expect(try await home.sql("SELECT last FROM decision_count") == "900000")
        let outbox = "(lane, kind, user_id, payload, next_attempt_at, created_at, rank, network, turn)"
        #expect(
            try await home.sql("INSERT INTO outbox \(outbox) VALUES ('', '', '', '', 1, 1, 1, '', 1) RETURNING id")
                == "2003")
        #expect(try await home.sql("SELECT nextval(pg_get_serial_sequence('audit', 'id'))") == "5")

        let sessions = try await MoveUnderTest.make(.token)
        try sessions.move()
        #expect(try await sessions.sql("SELECT last FROM session_blocks") == "12")
        #expect(try await sessions.sql("SELECT newest FROM audit_slots WHERE number = 0") == "4")
        _ = try await sessions.openSchema()
        let storage = try TokenDatabase.open(sessions.schema, policy: try Self.policy(), logger: Self.logger)
        try await storage.keys.end("kid 1 é 🎈", now: 2_000)
        #expect(Int(try await sessions.sql("SELECT newest FROM audit_slots WHERE number = 0")) ?? 0 > 4)
        let target = try CopyTarget(sessions.schema, migrations: TokenDatabase.schemaSteps)
        #expect((try target.verifyCopiedAudit()?.slots.first?.newest ?? 0) > 4)
    }

    @Test func `a session is found by its number, as its service reads it`() async throws {
        let home = try await MoveUnderTest.make(.token)
        let session = try await {
            let storage = try TokenDatabase.open(path: home.path, policy: try Self.policy(), logger: Self.logger)
            return try #require(try await storage.sessions.session(at: 1_007))
        }()
        try await home.untilClosed()
        try home.move()
        _ = try await home.openSchema()
        let storage = try TokenDatabase.open(home.schema, policy: try Self.policy(), logger: Self.logger)
        #expect(try await storage.sessions.session(at: 1_007) == session)
    }

    private static let logger = Logger(label: "test")

    private static func policy() throws -> Policy {
        try Policy.load(named: "howru", directory: LatchkeyStack.root + "deploy/policies", appName: nil)
    }
}

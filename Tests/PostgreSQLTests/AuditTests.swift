import Logging
import Storage
import TestSupport
import Testing
import TokenTables

@testable import PostgreSQL

/// Chains of audit records.
@Suite(.timeLimit(.minutes(5))) struct AuditTests {
    private static let chain = AuditChain(columns: ["at", "event"])

    private func test() async throws -> DatabaseUnderTest {
        try await DatabaseUnderTest(migrations: TokenDatabase.schemaSteps)
    }

    private static func append(_ event: String, in transaction: any Transaction) throws {
        try chain.append([.integer(7), .text(event)], in: transaction)
    }

    /// Verifies all slots and returns the number of records.
    private static func verify(_ test: DatabaseUnderTest) throws -> Int? {
        let schema = try WholeSchema(test.configuration, migrations: [], isAlone: false)
        return try schema.snapshot(AuditVerification.run)?.slots.reduce(0) { $0 + $1.records }
    }

    /// The connection that added a slot has no lock of it afterwards, which would keep other connections from adding it again.
    @Test func `a transaction that adds a slot and fails keeps none from others`() async throws {
        let test = try await test()
        let (one, other) = (try test.open(), try test.open())
        await #expect(throws: StorageError(.other, "no")) {
            try await one.write { transaction in
                try Self.append("event", in: transaction)
                throw StorageError(.other, "no")
            }
        }
        for database in [other, one, other] { try await database.write { try Self.append("event", in: $0) } }
        #expect(try Self.verify(test) == 3)
    }

    @Test func `the next process continues the chain of one that has ended`() async throws {
        let test = try await test()
        for _ in 0..<3 {
            let database = try test.open()
            try await database.write { try Self.append("event", in: $0) }
            try await database.shutDown()
            try await eventually("its connections are closed") {
                try await Self.connectionCount(of: test.configuration.schema) == 0
            }
        }
        let database = try test.open()
        #expect(try Self.verify(test) == 3)
        let slots = try await database.read { try $0.rows("SELECT 1 FROM audit_slots").count }
        #expect(slots == 1)
    }

    private static func connectionCount(of schema: String) async throws -> Int {
        try await DatabaseUnderTest().open().read { reading in
            try reading.rows("SELECT 1 FROM pg_stat_activity WHERE application_name = $1", schema).count
        }
    }

    @Test func `a schema without an audit is told from an empty one`() async throws {
        #expect(try await Self.verify(DatabaseUnderTest()) == nil)
        #expect(try await Self.verify(test()) == 0)
    }
}

import CryptoPrimitives
import Logging
import Storage
import TestSupport
import Testing

@testable import PostgreSQL

/// Chains of audit records.
@Suite(.timeLimit(.minutes(5))) struct AuditTests {
    private static let audit = Migration(
        "audit", AuditChain.tables(columns: "at bigint NOT NULL, event text NOT NULL"))
    private static let chain = AuditChain(columns: ["at", "event"])

    private func test() async throws -> DatabaseUnderTest {
        try await DatabaseUnderTest(migrations: [
            DatabaseUnderTest.items, Self.audit, Migration("leases", PostgreSQLLeases.table),
        ])
    }

    private static func append(_ event: String, in transaction: Transaction) throws {
        var content = AuditContent()
        content.append(7)
        content.append(event)
        try chain.append(content, [7, event], in: transaction)
    }

    /// Verifies all slots and returns the number of records.
    private static func verify(_ test: DatabaseUnderTest) throws -> Int? {
        let schema = try WholeSchema(test.configuration, migrations: [], isAlone: false)
        return try schema.snapshot(AuditVerification.run)?.slots.reduce(0) { $0 + $1.records }
    }

    @Test func `connections of several processes continue chains of their own`() async throws {
        let test = try await test()
        let replicas = [try test.open(), try test.open()]
        _ = try await concurrently(60) { number in
            try await replicas[number % 2].write { transaction in
                try Self.append("first", in: transaction)
                try Self.append("second", in: transaction)
            }
        }
        #expect(try Self.verify(test) == 120)
    }

    @Test func `a transaction that fails leaves no record, and the chain goes on`() async throws {
        let test = try await test()
        let database = try test.open()
        for number in 0..<6 {
            do {
                try await database.write { transaction in
                    try Self.append("event", in: transaction)
                    if number % 2 == 1 { throw StorageError(.other, "no") }
                }
            } catch {}
        }
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

    @Test func `retention keeps the hash of the last record it removes`() async throws {
        let test = try await test()
        let database = try test.open()
        // More than one transaction removes.
        let count = 150
        try await database.write { transaction in
            for _ in 0..<count { try Self.append("event", in: transaction) }
        }
        for (now, kept) in [(7 + 86_400, count), (8 + 86_400, 0)] as [(Int64, Int)] {
            let sweeper = Sweeper(
                database: database, sweeps: [], holder: "me", now: { now }, logger: .init(label: "test"))
            #expect(try await sweeper.pass(AuditRetention(days: 1)) == count - kept)
            #expect(try Self.verify(test) == kept)
        }
        let isAnchored = try await database.read { reading in
            try reading.rows("SELECT removed = newest AND removed_hash = newest_hash FROM audit_slots").first?.boolean(
                0)
        }
        #expect(isAnchored == true)
    }

    @Test(
        arguments: [
            ("DELETE FROM audit WHERE number = 2", "slot 1: record 2 is missing"),
            ("DELETE FROM audit WHERE number = 3", "slot 1: record 3 is missing"),
            ("UPDATE audit SET event = 'other' WHERE number = 2", "slot 1: record 2 is not as it was written"),
            ("UPDATE audit_slots SET newest = 2", "slot 1: record 3 is not the one that was written last"),
            ("UPDATE audit_slots SET removed = 1", "slot 1: record 1 is older than the last removed one"),
            ("DELETE FROM audit_slots", "slot 1: is missing, but has records"),
            ("DELETE FROM audit_slots; DELETE FROM audit", nil),
            ("UPDATE audit_slots SET number = 2; UPDATE audit SET slot = 2", "slot 1: is missing"),
            ("UPDATE audit_slots SET number = 0; UPDATE audit SET slot = 0", nil),
        ] as [(String, String?)])
    func `a record or a slot that was changed or removed is found`(change: String, finding: String?) async throws {
        let test = try await test()
        let database = try test.open()
        for _ in 0..<3 { try await database.write { try Self.append("event", in: $0) } }
        #expect(try Self.verify(test) == 3)
        try await database.write { transaction in
            for statement in change.split(separator: ";") { transaction.run(String(statement)) }
        }
        var found: StorageError?
        do { _ = try Self.verify(test) } catch let error as StorageError { found = error }
        #expect(found?.message == finding && found.map { $0.code == .corrupt } != false)
    }

    @Test func `a schema without an audit is told from an empty one`() async throws {
        #expect(try await Self.verify(DatabaseUnderTest()) == nil)
        #expect(try await Self.verify(test()) == 0)
    }

    @Test(arguments: [0, 1] as [Int64])
    func `slot 0 may have an id that a file had as a text, and no other slot`(slot: Int64) async throws {
        let audit = Migration.first(
            AuditChain.tables(columns: "at bigint NOT NULL, event text NOT NULL, user_id bytea"))
        let test = try await DatabaseUnderTest(migrations: [audit])
        var content = AuditContent()
        content.append(7)
        content.append("event")
        content.append("user 7")
        let zeros = [UInt8](repeating: 0, count: SHA256.byteCount)
        let hash = content.hash(after: zeros, number: 1)
        let stored = Array("user 7".utf8) + [UInt8](repeating: 0, count: 11)
        try WholeSchema(test.configuration, migrations: [], isAlone: false).write { transaction in
            transaction.run("INSERT INTO audit_slots VALUES ($1, 1, $2, 0, $3)", slot, hash, zeros)
            transaction.run(
                "INSERT INTO audit (slot, number, hash, at, event, user_id) VALUES ($1, 1, $2, 7, 'event', $3)", slot,
                hash,
                stored)
        }
        if slot == 0 {
            #expect(try Self.verify(test) == 1)
        } else {
            #expect(throws: StorageError.self) { try Self.verify(test) }
        }
    }
}

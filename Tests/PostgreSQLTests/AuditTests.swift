import CryptoPrimitives
import Logging
import Storage
import TestSupport
import Testing

@testable import PostgreSQL

/// Chains of audit records.
@Suite(.timeLimit(.minutes(1))) struct AuditTests {
    private static let audit = AuditChain.migration(columns: "at bigint NOT NULL, event text NOT NULL")
    private static let chain = AuditChain(columns: ["at", "event"])

    private func test() async throws -> DatabaseUnderTest {
        try await DatabaseUnderTest(migrations: [DatabaseUnderTest.items, Self.audit, PostgreSQLLeases.migration])
    }

    private static func append(_ event: String, in transaction: Transaction) throws {
        var content = AuditContent()
        content.append(7)
        content.append(event)
        try chain.append(content, [7, event], in: transaction)
    }

    /// Whether each slot's records are linked from the first to the newest; the number of all.
    private static func verify(_ database: PostgreSQLDatabase) async throws -> Int {
        try await database.read { reading in
            var count = 0
            for slot in try reading.rows("SELECT number, newest, newest_hash FROM audit_slots ORDER BY number") {
                var last = [UInt8](repeating: 0, count: SHA256.byteCount)
                let records = try reading.rows(
                    "SELECT number, hash, event FROM audit WHERE slot = $1 ORDER BY number", slot.integer(0))
                for (place, record) in records.enumerated() {
                    var content = AuditContent()
                    content.append(7)
                    content.append(record.text(2))
                    last = content.hash(after: last, number: Int64(place) + 1)
                    #expect(record.integer(0) == Int64(place) + 1 && record.bytes(1) == last)
                }
                #expect(slot.integer(1) == Int64(records.count) && slot.bytes(2) == last)
                count += records.count
            }
            return count
        }
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
        #expect(try await Self.verify(replicas[0]) == 120)
    }

    @Test func `a transaction that fails leaves no record, and the chain goes on`() async throws {
        let database = try await test().open()
        for number in 0..<6 {
            do {
                try await database.write { transaction in
                    try Self.append("event", in: transaction)
                    if number % 2 == 1 { throw StorageError(.other, "no") }
                }
            } catch {}
        }
        #expect(try await Self.verify(database) == 3)
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
        #expect(try await Self.verify(database) == 3)
        let slots = try await database.read { try $0.rows("SELECT 1 FROM audit_slots").count }
        #expect(slots == 1)
    }

    private static func connectionCount(of schema: String) async throws -> Int {
        try await DatabaseUnderTest().open().read { reading in
            try reading.rows("SELECT 1 FROM pg_stat_activity WHERE application_name = $1", schema).count
        }
    }

    @Test func `retention keeps the hash of the last record it removes`() async throws {
        let database = try await test().open()
        for _ in 0..<3 { try await database.write { try Self.append("event", in: $0) } }
        for (now, kept) in [(7 + 86_400, 3), (8 + 86_400, 0)] as [(Int64, Int)] {
            let sweeper = Sweeper(
                database: database, sweeps: [], holder: "me", now: { now }, logger: .init(label: "test"))
            #expect(try await sweeper.pass(AuditRetention(days: 1)) == 3 - kept)
            #expect(try await database.read { try $0.rows("SELECT 1 FROM audit").count } == kept)
        }
        let isAnchored = try await database.read { reading in
            try reading.rows("SELECT removed = newest AND removed_hash = newest_hash FROM audit_slots").first?.boolean(
                0)
        }
        #expect(isAnchored == true)
    }
}

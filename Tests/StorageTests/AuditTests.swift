import Foundation
import Logging
import SQLiteStore
import Storage
import TestSupport
import Testing

/// Chains of audit records, and what their check finds.
@Suite(.timeLimit(.minutes(5))) struct AuditTests {
    private static let columns = ["at", "event", "user_id", "sid", "detail"]
    private static let chain = AuditChain(columns: columns)

    /// Adds a record without a user, which a whole audit has too.
    static func append(at second: Int64, _ event: String, in transaction: any Transaction) throws {
        try chain.append([.integer(second), .text(event), .null, .null, .null], in: transaction)
    }

    /// Adds records at the seconds from 0 on, each in a transaction of its own.
    private func append(_ count: Int64, to database: any StorageDatabase) async throws {
        for number in 0..<count {
            try await database.write { try Self.append(at: number, "event \(number)", in: $0) }
        }
    }

    /// Checks all slots, and returns the number of records.
    private func verify(_ database: any StorageDatabase) async throws -> Int? {
        try await database.read { try AuditVerification.run(in: $0) }?.slots.reduce(0) { $0 + $1.records }
    }

    /// Changes the database as somebody may who can write to it, and returns what the check finds.
    private func finding(after change: String, in database: any StorageDatabase) async throws -> String? {
        try await database.run(change)
        do {
            _ = try await verify(database)
            return nil
        } catch let error as StorageError {
            #expect(error.code == .corrupt)
            return error.message
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `records of two replicas at once make whole chains, and a transaction that fails leaves no hole`(
        kind: DatabaseKind
    ) async throws {
        let test = try await DatabaseUnderTest(kind)
        let replicas = [test.database, try test.open()]
        _ = try await concurrently(200) { number in
            do {
                try await replicas[number % 2].write { transaction in
                    try Self.append(at: 7, "first", in: transaction)
                    try Self.append(at: 7, "second", in: transaction)
                    if number.isMultiple(of: 5) { throw StorageError(.other, "no") }
                }
            } catch let error as StorageError {
                #expect(error == StorageError(.other, "no"))
            }
        }
        let found = try #require(try await replicas[0].read { try AuditVerification.run(in: $0) })
        #expect(found.slots.reduce(0) { $0 + $1.records } == 320)
        if kind == .sqlite { #expect(found.slots.map(\.newest) == [320]) }
    }

    private static let changes = [
        // Each of the middle, the oldest, the newest and all.
        ("UPDATE audit SET event = 'other' WHERE number = 4", "record 4 is not as it was written"),
        ("UPDATE audit SET event = 'other' WHERE number = 1", "record 1 is not as it was written"),
        ("UPDATE audit SET event = 'other' WHERE number = 9", "record 9 is not as it was written"),
        ("UPDATE audit SET event = 'other'", "record 1 is not as it was written"),
        ("DELETE FROM audit WHERE number = 4", "record 4 is missing"),
        ("DELETE FROM audit WHERE number = 1", "record 1 is missing"),
        ("DELETE FROM audit WHERE number = 9", "record 9 is missing"),
        ("DELETE FROM audit", "record 1 is missing"),
        ("\(insertion("0", after: "1"))", "record 0 is older than the last removed one"),
        (
            "\(insertion("-9223372036854775808", after: "1"))",
            "record -9223372036854775808 is older than the last removed one"
        ),
        ("\(insertion("10", after: "9"))", "record 10 is not as it was written"),
        (
            "UPDATE audit SET number = -number WHERE number >= 5; UPDATE audit SET number = 1 - number WHERE number < 0; "
                + insertion("5", after: "4"), "record 5 is not as it was written"
        ),
        // All records again, behind those that there are.
        (insertion("number + 9", after: "number"), "record 10 is not as it was written"),
        // Other ways.
        ("UPDATE audit SET detail = '' WHERE number = 4", "record 4 is not as it was written"),
        ("UPDATE audit SET at = at + 1 WHERE number = 4", "record 4 is not as it was written"),
        (
            "UPDATE audit SET hash = (SELECT hash FROM audit WHERE number = 8) WHERE number = 9",
            "record 9 is not as it was written"
        ),
        (
            """
            UPDATE audit SET number = 99 WHERE number = 4; UPDATE audit SET number = 4 WHERE number = 5;
            UPDATE audit SET number = 5 WHERE number = 99
            """, "record 4 is not as it was written"
        ),
        ("UPDATE audit_slots SET newest = 8", "record 9 is not the one that was written last"),
        ("UPDATE audit_slots SET newest = 10", "record 10 is missing"),
        ("UPDATE audit_slots SET newest_hash = removed_hash", "record 9 is not the one that was written last"),
        ("UPDATE audit_slots SET removed = 1", "record 1 is older than the last removed one"),
        ("UPDATE audit_slots SET removed_hash = newest_hash", "record 1 is not as it was written"),
        ("DELETE FROM audit_slots", "is missing, but has records"),
        ("UPDATE audit SET slot = 7 WHERE number = 4", "is missing, but has records"),
    ]

    /// Returns the statement that copies records, with another number.
    private static func insertion(_ number: String, after copied: String) -> String {
        "INSERT INTO audit (slot, number, hash, at, event) SELECT slot, \(number), hash, at, event FROM audit WHERE number = \(copied)"
    }

    @Test(arguments: DatabaseKind.allCases, changes)
    func `the first record that is not as it was written is named`(
        kind: DatabaseKind, change: (sql: String, finding: String)
    ) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        try await append(9, to: database)
        #expect(try await verify(database) == 9)
        let slot = change.sql.contains("slot = 7") ? 7 : test.firstSlot
        #expect(try await finding(after: change.sql, in: database) == "slot \(slot): \(change.finding)")
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an audit without records and slots is none that was changed, but a file has its slot`(
        kind: DatabaseKind
    ) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        #expect(try await verify(database) == 0)
        try await append(1, to: database)
        #expect(try await finding(after: "DELETE FROM audit; DELETE FROM audit_slots", in: database) == nil)
        guard kind == .sqlite else { return }
        let found = #expect(throws: StorageError.self) { try AuditVerification.run(file: test.path) }
        #expect(found?.message == "the end of the audit is missing")
        // Nothing is written behind an end that is gone.
        let failure = await #expect(throws: StorageError.self) { try await append(1, to: database) }
        #expect(failure?.code == .corrupt)
        #expect(try await database.integer("SELECT count(*) FROM audit") == 0)
    }

    @Test(arguments: ["at = at + 0.5", "user_id = 0.5", "detail = x''", "event = CAST(event AS BLOB)"])
    func `a value of another type is found in a file`(change: String) async throws {
        let test = try await DatabaseUnderTest(.sqlite)
        let database = test.database
        try await append(9, to: database)
        #expect(
            try await finding(after: "UPDATE audit SET \(change) WHERE number = 4", in: database)
                == "slot 0: record 4 is not as it was written")
    }

    @Test func `a flipped byte in a file is found`() async throws {
        let test = try await DatabaseUnderTest(.sqlite)
        let database = try #require(test.database as? SQLiteDatabase)
        try await append(9, to: database)
        database.wipeRemoved()
        await database.boundLog()
        let url = URL(fileURLWithPath: test.path)
        var bytes = try Data(contentsOf: url)
        let place = try #require(bytes.firstRange(of: Data("event 6".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: url)
        let found = #expect(throws: StorageError.self) { try AuditVerification.run(file: test.path) }
        #expect(found?.message == "slot 0: record 7 is not as it was written")
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a column that comes later leaves older hashes as they are`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        try await append(3, to: database)
        try await database.run("ALTER TABLE audit ADD COLUMN place text")
        let chain = AuditChain(columns: Self.columns + ["place"])
        try await database.write {
            try chain.append([.integer(4), .text("event"), .null, .null, .null, .text("here")], in: $0)
        }
        #expect(try await verify(database) == 4)
        #expect(
            try await finding(after: "UPDATE audit SET place = 'there' WHERE number = 4", in: database)?
                .hasSuffix("record 4 is not as it was written") == true)
    }

    private func retain(_ database: any StorageDatabase, now: Int64, days: Int) async throws -> Int {
        let sweeper = Sweeper(
            database: database, sweeps: [], holder: "a", now: { now }, logger: Logger(label: "test"), pause: { _ in })
        return try await sweeper.pass(AuditRetention(days: days))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the retention removes the oldest records in batches, and leaves an anchor`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        try await append(300, to: database)
        #expect(try await retain(database, now: 2 * 86_400 + 200, days: 2) == 200)
        #expect(try await verify(database) == 100)
        try await append(1, to: database)
        #expect(try await verify(database) == 101)
        #expect(
            try await finding(after: "DELETE FROM audit WHERE number = 201", in: database)
                == "slot \(test.firstSlot): record 201 is missing")
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an audit that was removed whole goes on where it was`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        try await append(70, to: database)
        #expect(try await retain(database, now: 1 << 40, days: 1) == 70)
        #expect(try await verify(database) == 0)
        try await append(2, to: database)
        let found = try await database.read { try AuditVerification.run(in: $0) }
        #expect(found?.slots.map(\.records) == [2] && found?.slots.map(\.newest) == [72])
    }
}

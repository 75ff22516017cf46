import Storage
import TestSupport
import Testing

/// Transactions and reads, which mean the same in every database.
@Suite(.timeLimit(.minutes(5))) struct TransactionTests {
    @Test(arguments: DatabaseKind.allCases)
    func `what is written is read by others, and what throws is not`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let (one, other) = (test.database, try test.open())
        try await one.add(1, "a")
        await #expect(throws: StorageError(.other, "no")) {
            try await one.write { transaction in
                try transaction.run("INSERT INTO items (id, name) VALUES (2, 'b')")
                #expect(try transaction.rows("SELECT name FROM items").count == 2)
                throw StorageError(.other, "no")
            }
        }
        #expect(try await other.names() == ["a"])
        let count: @Sendable (any StatementReader) throws -> Int = { try $0.rows("SELECT 1 FROM items").count }
        #expect(try await [other.readDurably(count), other.readBeforeWrite(count)] == [1, 1])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `values arrive as they were sent`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        let values: [(Int64, String, [UInt8]?)] = [
            (.min, "ä'\\", [0, 1, 255]), (-1, "🎈", []), (.max, "", nil),
        ]
        try await database.write { transaction in
            for (id, name, part) in values {
                try transaction.run("INSERT INTO items (id, name, part) VALUES ($1, $2, $3)", id, name, part)
            }
        }
        try await database.read { reader in
            let rows = try reader.rows("SELECT id, name, part, id > $1 FROM items ORDER BY id", Int64(0))
            #expect(rows.map { $0.integer(0) } == values.map(\.0) && rows.map { $0.text(1) } == values.map(\.1))
            #expect(
                rows.map { $0.optionalBytes(2) } == values.map(\.2)
                    && rows.map { $0.boolean(3) } == [false, false, true])
            #expect(rows.map { $0.value(2) } == values.map { $0.2.sqlValue })
            // A NULL of each type, and the bytes of a text.
            let last = try #require(rows.last)
            #expect(
                last.value(2) == .null && last.optionalText(2) == nil && last.bytes(2) == [] && last.integer(2) == 0)
            #expect(rows[0].bytes(1) == Array("ä'\\".utf8))
            // Parameters in any order, more than once, and without one.
            let sum = "SELECT CAST($2 AS bigint) - CAST($1 AS bigint) + CAST($2 AS bigint)" as SQL
            #expect(try reader.rows(sum, Int64(1), Int64(10)).first?.integer(0) == 19)
            #expect(try reader.rows("SELECT name FROM items WHERE id = -2").isEmpty)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `functions mean the same, also of NULL`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        let row: [Int64?] = try await database.read { reader in
            let row = try reader.rows(
                """
                SELECT greatest(CAST($1 AS bigint), -5, NULL), least(CAST($1 AS bigint), 9),
                    greatest(CAST($2 AS bigint), NULL)
                """, Int64(7), nil as Int64?
            ).first
            return (0...2).map { row?.optionalInteger($0) }
        }
        #expect(row == [7, 7, nil])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a failing statement fails its transaction, and the connection goes on`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        try await database.add(1, "a")
        for id in 2...5 as ClosedRange<Int64> {
            let failure = await #expect(throws: StorageError.self) {
                try await database.write { transaction in
                    try transaction.run("INSERT INTO items (id, name) VALUES ($1, $2)", id + 10, "x")
                    try transaction.run("INSERT INTO items (id, name) VALUES ($1, $2)", id, "a")
                }
            }
            #expect(failure?.code == .constraint)
        }
        await #expect(throws: StorageError.self) { try await database.write { try $0.run("SELECT nonsense") } }
        await #expect(throws: StorageError.self) { _ = try await database.integer("SELECT nonsense") }
        try await database.add(9, "b")
        #expect(try await database.names() == ["a", "b"])
    }
}

import Foundation
import GRDB
import SQLiteStore
import Testing

/// A file that a service on PostgreSQL does not read.
@Suite struct UnusedFileTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private var found: String? { UnusedFile.finding(in: scratch.databasePath, table: "items") }

    private func write(_ sql: String) throws {
        let queue = try scratch.outsider()
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func `a file with rows is data, one without a file, a table or rows is not`() throws {
        #expect(found == nil)
        try Data().write(to: URL(filePath: scratch.databasePath))
        #expect(found == nil)
        try write("CREATE TABLE others (name TEXT); INSERT INTO others VALUES ('a')")
        #expect(found == nil)
        try write("CREATE TABLE items (name TEXT)")
        #expect(found == nil)
        try write("INSERT INTO items VALUES ('a')")
        #expect(found?.hasPrefix("\(scratch.databasePath) has rows in items") == true)
    }

    @Test func `rows that are only in the write-ahead log count`() throws {
        let queue = try scratch.outsider()
        try queue.writeWithoutTransaction {
            try $0.execute(
                sql: "PRAGMA journal_mode = WAL; CREATE TABLE items (name TEXT); INSERT INTO items VALUES ('a')")
        }
        #expect(found != nil)
        try queue.close()
        #expect(found != nil)
    }

    @Test func `a file that was moved is not data, and one that cannot be read is`() throws {
        try write("CREATE TABLE items (name TEXT); INSERT INTO items VALUES ('a')")
        try write("CREATE TABLE moved_to (target TEXT NOT NULL)")
        #expect(found == nil)
        try Data(repeating: 65, count: 5000).write(to: URL(filePath: scratch.databasePath))
        #expect(found?.hasPrefix("\(scratch.databasePath) cannot be read: ") == true)
    }
}

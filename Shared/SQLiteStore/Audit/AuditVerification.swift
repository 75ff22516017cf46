import CryptoPrimitives
import Foundation
package import GRDB
import Storage

/// Checks the audit of a database file from its anchor to its newest row.
package struct AuditVerification: Sendable, Equatable {
    /// The first row that was changed after it was written, and how that shows.
    package struct BadRow: Error, Sendable, Equatable, CustomStringConvertible {
        package let number: Int64
        package let finding: String

        package var description: String { "row \(number): \(finding)" }
    }

    /// The number of rows, which are unchanged.
    package let rows: Int
    /// The newest row's number and hash. Kept elsewhere, they later prove that no row was removed or rewritten.
    package let newest: Int64
    package let newestHash: [UInt8]

    /// Verifies the audit of a file, in use or not, in a snapshot of it.
    package static func run(file: String) throws -> AuditVerification {
        guard FileFacts.byteCount(file) > 0 else { throw StorageError(.corrupt, "is missing or empty") }
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            let found = try queue.read { try run(in: $0) }
            try queue.close()
            return found
        } catch let row as BadRow {
            throw row
        } catch {
            throw StorageError(error)
        }
    }

    /// Reads the whole table in the open transaction.
    ///
    /// - Throws: `BadRow`; `corrupt` if the file has no audit.
    package static func run(in database: Database) throws -> AuditVerification {
        guard try database.tableExists("audit"), try database.tableExists("audit_ends"),
            let ends = try Row.fetchOne(
                database, sql: "SELECT newest, newest_hash, removed, removed_hash FROM audit_ends WHERE id = 1")
        else { throw StorageError(.corrupt, "the file has no linked audit") }
        var check = Check(
            last: try ends.decode(Int64.self, atIndex: 2), lastHash: Array(try ends.decode(Data.self, atIndex: 3)))
        let columns = try contentColumns(database)
        let rows = try Row.fetchCursor(
            database, sql: "SELECT rowid, hash, \(columns.joined(separator: ", ")) FROM audit ORDER BY rowid")
        while let row = try rows.next() { try check.take(row) }
        let newest = try ends.decode(Int64.self, atIndex: 0)
        guard check.last >= newest else { throw BadRow(number: check.last + 1, finding: "is missing") }
        guard check.last == newest, check.lastHash == Array(try ends.decode(Data.self, atIndex: 1)) else {
            throw BadRow(number: check.last, finding: "is not the one that was written last")
        }
        return AuditVerification(rows: check.rows, newest: newest, newestHash: check.lastHash)
    }

    /// Returns all columns except the key and the hash, in the writer's order.
    private static func contentColumns(_ database: Database) throws -> [String] {
        try Row.fetchAll(database, sql: "SELECT name FROM pragma_table_info('audit') WHERE pk = 0 ORDER BY cid")
            .map { try $0.decode(String.self, atIndex: 0) }.filter { $0 != "hash" }.map(\.quotedDatabaseIdentifier)
    }

    /// The state of the check after the rows so far.
    private struct Check {
        var last: Int64
        var lastHash: [UInt8]
        var rows = 0

        mutating func take(_ row: Row) throws {
            let values = Array(row.databaseValues)
            guard values.count > 2, let number = Int64.fromDatabaseValue(values[0]) else {
                throw BadRow(number: last, finding: "is followed by a row without a number")
            }
            guard number > last else { throw BadRow(number: number, finding: "is older than the last removed row") }
            // The gap is named by the number of the missing row.
            guard number == last + 1 else { throw BadRow(number: last + 1, finding: "is missing") }
            let content = AuditLink.content(Array(values.dropFirst(2)))
            let expected = AuditLink.hash(previous: lastHash, number: number, content: content)
            guard let hash = Data.fromDatabaseValue(values[1]), constantTimeEqual(Array(hash), expected) else {
                throw BadRow(number: number, finding: "is not as it was written")
            }
            (last, lastHash, rows) = (number, expected, rows + 1)
        }
    }
}

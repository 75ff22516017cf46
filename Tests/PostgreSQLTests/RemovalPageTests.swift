import Foundation
import Storage
import TestSupport
import Testing
import TokenTables
import UserTables

@testable import PostgreSQL

/// The tables of both schemas, compared with `deploy/docs/reference/removal.md`.
@Suite(.timeLimit(.minutes(5))) struct RemovalPageTests {
    /// Tables that only SQLite files have.
    private static let ofSQLite: Set = ["decisions_order", "ordered_decisions", "ordered_removals", "sqlite_sequence"]

    @Test(arguments: [
        ("latchkey_user", "users.sqlite", UserDatabase.schemaSteps),
        ("latchkey_token", "tokens.sqlite", TokenDatabase.schemaSteps),
    ])
    func `every column is on the page, and nothing else`(
        _ schema: String, _ file: String, _ migrations: [Migration]
    ) async throws {
        let test = try await DatabaseUnderTest(migrations: migrations)
        let columns = try await test.open().read { reading in
            try reading.rows(
                """
                SELECT table_name || '.' || column_name FROM information_schema.columns
                WHERE table_schema = current_schema()
                """
            ).map { $0.text(0) }
        }
        #expect(try Set(columns) == Self.documented(schema, file))
    }

    /// Returns the columns that the page lists for a schema: those of the SQLite file, unless PostgreSQL has others.
    private static func documented(_ schema: String, _ file: String) throws -> Set<String> {
        let own = try rows(under: "With PostgreSQL").map { names, columns in
            (names.map { $0.hasPrefix("\(schema).") ? String($0.dropFirst(schema.count + 1)) : $0 }, columns)
        }
        let replaced = Set(own.flatMap(\.0)).union(ofSQLite)
        let shared = try rows(under: file).filter { !replaced.contains($0.tables.first ?? "") }
        return Set(
            (own + shared).flatMap { names, columns in
                names.first.map { name in name.contains(".") ? [] : columns.map { "\(name).\($0)" } } ?? []
            })
    }

    /// Returns the rows of the table under a heading: the names in its first cell, and the columns.
    private static func rows(under heading: String) throws -> [(tables: [String], columns: [String])] {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let text = try String(contentsOfFile: root + "/deploy/docs/reference/removal.md", encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") } ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { cell in
                cell.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
            }
            return (cells[0], cells[1])
        }
    }
}

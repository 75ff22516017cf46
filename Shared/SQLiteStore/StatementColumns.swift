import Foundation
package import GRDB

/// The columns that a statement selects, in the order of its rows: one list makes both the SELECT and the reads.
package protocol StatementColumn: CaseIterable, RawRepresentable<CInt>, Sendable {
    /// What stands in the SELECT list.
    var sql: String { get }
}

extension StatementColumn {
    package var sql: String { snakeCaseName }

    /// The case's name as a column has it: `userID` is `user_id`.
    package var snakeCaseName: String {
        var name = ""
        var isAfterSmallLetter = false
        for letter in "\(self)" {
            if letter.isUppercase, isAfterSmallLetter { name += "_" }
            isAfterSmallLetter = letter.isLowercase
            name += letter.lowercased()
        }
        return name
    }

    /// All columns, for a SELECT.
    package static var list: String { allCases.map(\.sql).joined(separator: ", ") }
}

/// The row that a statement stands on, read by its columns' places.
///
/// GRDB's `Row` begins with a table of the columns' names, at each reading: for a wide row that is more work than all the
/// rest.
@safe
package struct StatementColumns<Column: StatementColumn> {
    private let statement: SQLiteStatement

    fileprivate init(_ statement: SQLiteStatement) { unsafe self.statement = statement }

    /// The column's value; nil for NULL and for what is no `Value`.
    package func value<Value: StatementColumnConvertible>(_ column: Column, as: Value.Type = Value.self) -> Value? {
        unsafe Value.fromStatement(statement, atUncheckedIndex: column.rawValue)
    }

    /// The column's value in the type that it is stored in.
    package func stored(_ column: Column) -> DatabaseValue {
        unsafe DatabaseValue(sqliteStatement: statement, index: column.rawValue)
    }

    /// The column's integer; 0 for NULL.
    package func integer(_ column: Column) -> Int64 { value(column) ?? 0 }

    /// The column's text; empty for NULL.
    package func text(_ column: Column) -> String { value(column) ?? "" }

    /// The column's bytes; none for NULL.
    package func bytes(_ column: Column) -> [UInt8] { value(column, as: Data.self).map { Array($0) } ?? [] }
}

extension Statement {
    /// What `read` makes of the first row; nil when there is none.
    ///
    /// - Parameter read: gets columns that are good until it returns; the first one is not NULL.
    package func first<Column: StatementColumn, Result>(
        _ arguments: StatementArguments, _ read: (StatementColumns<Column>) throws -> Result?
    ) throws -> Result? {
        let cursor = try CurrentRow<Column>.fetchCursor(self, arguments: arguments)
        // The row ends with its cursor.
        return try withExtendedLifetime(cursor) { try cursor.next().flatMap { try read($0.columns) } }
    }

    /// What `read` makes of each row, without those of which it makes nothing.
    ///
    /// - Parameter read: as with `first`.
    package func all<Column: StatementColumn, Result>(
        _ arguments: StatementArguments, _ read: (StatementColumns<Column>) throws -> Result?
    ) throws -> [Result] {
        let cursor = try CurrentRow<Column>.fetchCursor(self, arguments: arguments)
        var results: [Result] = []
        while let row = try cursor.next() {
            if let result = try read(row.columns) { results.append(result) }
        }
        return results
    }
}

/// Stands for the row that a cursor is at; it is no value and never bound.
private struct CurrentRow<Column: StatementColumn>: DatabaseValueConvertible, StatementColumnConvertible {
    let columns: StatementColumns<Column>

    init?(sqliteStatement: SQLiteStatement, index: CInt) { unsafe columns = StatementColumns(sqliteStatement) }

    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> CurrentRow? { nil }
}

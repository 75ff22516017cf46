import Foundation
package import GRDB

/// The columns that a statement selects, in the order of its rows: one list creates both the SELECT and the reads.
package protocol StatementColumn: CaseIterable, RawRepresentable<CInt>, Sendable {
    /// The column's expression in the SELECT list.
    var sql: String { get }
}

extension StatementColumn {
    package var sql: String { snakeCaseName }

    /// The case's name in the spelling of a column: `userID` is `user_id`.
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

/// The current row of a statement, read by the columns' positions.
///
/// GRDB's `Row` builds a table of the columns' names for each read, which for a wide row costs more than everything else.
@safe
package struct StatementColumns<Column: StatementColumn> {
    private let statement: SQLiteStatement

    fileprivate init(_ statement: SQLiteStatement) { unsafe self.statement = statement }

    /// Returns the column's value; `nil` for NULL or a value of another type.
    package func value<Value: StatementColumnConvertible>(_ column: Column, as: Value.Type = Value.self) -> Value? {
        unsafe Value.fromStatement(statement, atUncheckedIndex: column.rawValue)
    }

    /// Returns the column's value in its stored type.
    package func stored(_ column: Column) -> DatabaseValue {
        unsafe DatabaseValue(sqliteStatement: statement, index: column.rawValue)
    }

    /// Returns the column's integer; 0 for NULL.
    package func integer(_ column: Column) -> Int64 { value(column) ?? 0 }

    /// Returns the column's text; empty for NULL.
    package func text(_ column: Column) -> String { value(column) ?? "" }

    /// Returns the column's bytes; empty for NULL.
    package func bytes(_ column: Column) -> [UInt8] { value(column, as: Data.self).map { Array($0) } ?? [] }
}

extension Statement {
    /// Returns the result of `read` for the first row; `nil` if there is no row.
    ///
    /// - Parameter read: Gets columns that are valid until it returns; the first one is not NULL.
    package func first<Column: StatementColumn, Result>(
        _ arguments: StatementArguments, _ read: (StatementColumns<Column>) throws -> Result?
    ) throws -> Result? {
        let cursor = try CurrentRow<Column>.fetchCursor(self, arguments: arguments)
        // The row is valid as long as its cursor.
        return try withExtendedLifetime(cursor) { try cursor.next().flatMap { try read($0.columns) } }
    }

    /// Returns the results of `read` for all rows, without those that are `nil`.
    ///
    /// - Parameter read: See `first`.
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

/// Represents the row that a cursor is at; it is not a value and is never bound.
private struct CurrentRow<Column: StatementColumn>: DatabaseValueConvertible, StatementColumnConvertible {
    let columns: StatementColumns<Column>

    init?(sqliteStatement: SQLiteStatement, index: CInt) { unsafe columns = StatementColumns(sqliteStatement) }

    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> CurrentRow? { nil }
}

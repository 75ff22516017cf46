internal import Foundation
package import GRDB

/// The columns of the row that a statement stands on, read by their places, the first being 0.
///
/// GRDB's `Row` begins with a table of the columns' names, at each reading: for a wide row that is more work than all the
/// rest.
@safe
package struct StatementColumns {
    private let statement: SQLiteStatement

    fileprivate init(_ statement: SQLiteStatement) { unsafe self.statement = statement }

    /// The column's value; nil for NULL and for what is no `Value`.
    package func value<Value: StatementColumnConvertible>(_ index: CInt, as: Value.Type = Value.self) -> Value? {
        unsafe Value.fromStatement(statement, atUncheckedIndex: index)
    }

    /// The column's value in the type that it is stored in.
    package func stored(_ index: CInt) -> DatabaseValue {
        unsafe DatabaseValue(sqliteStatement: statement, index: index)
    }

    /// The column's integer; 0 for NULL.
    package func integer(_ index: CInt) -> Int64 { value(index) ?? 0 }

    /// The column's text; empty for NULL.
    package func text(_ index: CInt) -> String { value(index) ?? "" }

    /// The column's bytes; none for NULL.
    package func bytes(_ index: CInt) -> [UInt8] { value(index, as: Data.self).map { Array($0) } ?? [] }
}

extension Statement {
    /// What `read` makes of the first row; nil when there is none.
    ///
    /// - Parameter read: gets columns that are good until it returns; the first one is not NULL.
    package func first<Result>(
        _ arguments: StatementArguments, _ read: (StatementColumns) throws -> Result?
    ) throws -> Result? {
        let cursor = try CurrentRow.fetchCursor(self, arguments: arguments)
        // The row ends with its cursor.
        return try withExtendedLifetime(cursor) { try cursor.next().flatMap { try read($0.columns) } }
    }

    /// What `read` makes of each row, without those of which it makes nothing.
    ///
    /// - Parameter read: as with `first`.
    package func all<Result>(
        _ arguments: StatementArguments, _ read: (StatementColumns) throws -> Result?
    ) throws -> [Result] {
        let cursor = try CurrentRow.fetchCursor(self, arguments: arguments)
        var results: [Result] = []
        while let row = try cursor.next() {
            if let result = try read(row.columns) { results.append(result) }
        }
        return results
    }
}

/// Stands for the row that a cursor is at; it is no value and never bound.
private struct CurrentRow: DatabaseValueConvertible, StatementColumnConvertible {
    let columns: StatementColumns

    init?(sqliteStatement: SQLiteStatement, index: CInt) { unsafe columns = StatementColumns(sqliteStatement) }

    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> CurrentRow? { nil }
}

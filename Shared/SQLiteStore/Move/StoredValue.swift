import GRDB
import GRDBSQLite

/// A value as a database file contains it, whatever its column's type.
package enum StoredValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real
    /// The bytes of a text, which need not be UTF-8 and may contain zeros.
    case text([UInt8])
    case blob([UInt8])
}

/// The values of a row, for a cursor of GRDB. The statement's first column is not NULL, and does not belong to them.
///
/// GRDB's own values end a text at its first zero, and replace what is not UTF-8.
struct StoredRow: DatabaseValueConvertible, StatementColumnConvertible {
    let values: [StoredValue]

    init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let count = unsafe sqlite3_column_count(sqliteStatement)
        values = (1..<max(1, count)).map { unsafe Self.value(sqliteStatement, $0) }
    }

    private static func value(_ statement: SQLiteStatement, _ column: CInt) -> StoredValue {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text(unsafe bytes(statement, column))
        case SQLITE_BLOB: .blob(unsafe bytes(statement, column))
        default: .null
        }
    }

    private static func bytes(_ statement: SQLiteStatement, _ column: CInt) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        return unsafe Array(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> StoredRow? { nil }
}

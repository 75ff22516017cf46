import GRDB
import GRDBSQLite
import Storage

/// Runs statements on a connection to a file, on its thread.
struct SQLiteReader: StatementReader {
    let kind = DatabaseKind.sqlite
    let database: Database

    init(_ database: Database) { self.database = database }

    func results(_ statements: [Storage.Statement]) throws -> [Rows] {
        try statements.map { Rows(try rows(of: $0)) }
    }

    /// Runs a statement, which the connection prepares once, and reads all its rows.
    ///
    /// GRDB's `Row` builds a table of the columns' names for each read, which for a wide row costs more than everything else.
    func rows(of statement: Storage.Statement) throws -> SQLiteRows {
        let prepared = unsafe try database.cachedStatement(sql: statement.sql.sqlite).sqliteStatement
        defer {
            unsafe sqlite3_reset(prepared)
            unsafe sqlite3_clear_bindings(prepared)
        }
        for place in 0..<(unsafe sqlite3_bind_parameter_count(prepared)) {
            // Parameters are numbered in the order in which the text first names them.
            guard let name = unsafe sqlite3_bind_parameter_name(prepared, place + 1),
                let number = Int(unsafe String(cString: name).dropFirst()),
                statement.values.indices.contains(number - 1)
            else { throw StorageError(.other, "a statement has a parameter without a value") }
            guard unsafe statement.values[number - 1].bind(to: prepared, at: place + 1) == SQLITE_OK else {
                throw failure
            }
        }
        let rows = SQLiteRows(columnCount: Int(unsafe sqlite3_column_count(prepared)))
        while true {
            switch unsafe sqlite3_step(prepared) {
            case SQLITE_ROW: unsafe rows.append(prepared)
            case SQLITE_DONE: return rows
            default: throw failure
            }
        }
    }

    /// The last error of the connection.
    private var failure: StorageError {
        let connection = unsafe database.sqliteConnection
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        return StorageError(
            DatabaseError(
                resultCode: ResultCode(rawValue: unsafe sqlite3_extended_errcode(connection)), message: message))
    }
}

/// The rows of a statement.
final class SQLiteRows: RowSource {
    private let columnCount: Int
    private var values: [SQLValue] = []
    private(set) var rowCount = 0

    init(columnCount: Int) { self.columnCount = columnCount }

    /// Reads the row at which a statement is.
    func append(_ statement: SQLiteStatement) {
        rowCount += 1
        for column in 0..<CInt(truncatingIfNeeded: columnCount) { unsafe values.append(Self.value(statement, column)) }
    }

    func value(row: Int, column: Int) -> SQLValue { values[row * columnCount + column] }

    func integer(row: Int, column: Int) -> Int64? {
        if case .integer(let number) = value(row: row, column: column) { number } else { nil }
    }

    func bytes(row: Int, column: Int) -> [UInt8]? {
        switch value(row: row, column: column) {
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8)
        default: nil
        }
    }

    func text(row: Int, column: Int) -> String? {
        switch value(row: row, column: column) {
        case .text(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    private static func value(_ statement: SQLiteStatement, _ column: CInt) -> SQLValue {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(statement, column))
        // No column of ours has fractions. One is read as its text, so that the audit's check sees it.
        case SQLITE_TEXT, SQLITE_FLOAT:
            unsafe withBytes(statement, column) { .text(unsafe String(decoding: $0, as: UTF8.self)) }
        case SQLITE_BLOB: unsafe withBytes(statement, column) { .bytes(unsafe Array($0)) }
        default: .null
        }
    }

    private static func withBytes(
        _ statement: SQLiteStatement, _ column: CInt, _ body: (UnsafeRawBufferPointer) -> SQLValue
    ) -> SQLValue {
        guard let start = unsafe sqlite3_column_blob(statement, column) else {
            return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension SQLValue {
    /// Has SQLite copy the value before the call returns (`SQLITE_TRANSIENT`).
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Binds the value to a parameter, and returns SQLite's result code.
    fileprivate func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
        switch self {
        case .null: return unsafe sqlite3_bind_null(statement, place)
        case .integer(let number): return unsafe sqlite3_bind_int64(statement, place, number)
        case .boolean(let flag): return unsafe sqlite3_bind_int64(statement, place, flag ? 1 : 0)
        case .text(var text):
            return text.withUTF8 { bytes in
                unsafe sqlite3_bind_text64(
                    statement, place, bytes.baseAddress, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
            }
        case .bytes([]): return unsafe sqlite3_bind_zeroblob(statement, place, 0)
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe sqlite3_bind_blob64(statement, place, bytes.baseAddress, UInt64(bytes.count), Self.copied)
            }
        case .integers, .texts, .byteStrings: return SQLITE_MISMATCH
        }
    }
}

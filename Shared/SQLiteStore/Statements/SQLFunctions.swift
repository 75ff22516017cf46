import GRDB
import GRDBSQLite

/// PostgreSQL's functions that SQLite has under another name or with another rule for NULL.
enum SQLFunctions {
    /// Adds `greatest` and `least` of integers, which ignore NULL, to a connection.
    static func add(to database: Database) {
        let (connection, flags) = unsafe (database.sqliteConnection, SQLITE_UTF8 | SQLITE_DETERMINISTIC)
        unsafe sqlite3_create_function_v2(
            connection, "greatest", -1, flags, nil,
            { context, count, values in unsafe SQLFunctions.answer(context, count, values, max) }, nil, nil, nil)
        unsafe sqlite3_create_function_v2(
            connection, "least", -1, flags, nil,
            { context, count, values in unsafe SQLFunctions.answer(context, count, values, min) }, nil, nil, nil)
    }

    private static func answer(
        _ context: OpaquePointer?, _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?,
        _ choose: (Int64, Int64) -> Int64
    ) {
        var result: Int64?
        for place in 0..<Int(count) {
            guard let value = unsafe values?[place], unsafe sqlite3_value_type(value) != SQLITE_NULL else { continue }
            let number = unsafe sqlite3_value_int64(value)
            result = result.map { choose($0, number) } ?? number
        }
        if let result { unsafe sqlite3_result_int64(context, result) } else { unsafe sqlite3_result_null(context) }
    }
}

import Foundation
package import GRDB
package import UserCore

/// Stores a user's id in a column as its 16 bytes.
extension UserID: DatabaseValueConvertible, StatementColumnConvertible {
    package var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> UserID? {
        Data.fromDatabaseValue(value).flatMap { UserID(bytes: Array($0)) }
    }

    package init?(sqliteStatement: SQLiteStatement, index: CInt) {
        unsafe self.init(bytes: Array(Data(sqliteStatement: sqliteStatement, index: index)))
    }
}

/// Runs statements that each connection prepares once.
extension Database {
    func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Returns the first column of the first row, or `nil` if there is no row or the column is null.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ sql: String, _ arguments: StatementArguments
    ) throws -> Value? {
        try Value.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }
}

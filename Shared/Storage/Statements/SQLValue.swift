/// A value of a statement's parameter or of a column.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case boolean(Bool)
    case text(String)
    case bytes([UInt8])
    /// Values of one type for a statement that only PostgreSQL runs.
    case integers([Int64])
    case texts([String])
    /// Values of one type, which may be NULL, for a statement that only PostgreSQL runs.
    case byteStrings([[UInt8]?])
}

/// A type whose values can be parameters of statements.
package protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLConvertible {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLConvertible {
    package var sqlValue: SQLValue { .boolean(self) }
}

extension String: SQLConvertible {
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLConvertible {
    package var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

/// The rows that a connection returned for a statement. They stay on the thread that ran it.
package protocol RowSource: AnyObject {
    var rowCount: Int { get }

    /// Returns an integer, or a boolean as 0 or 1; `nil` for NULL.
    func integer(row: Int, column: Int) -> Int64?

    /// Returns the bytes of a byte string or of a text; `nil` for NULL.
    func bytes(row: Int, column: Int) -> [UInt8]?

    func text(row: Int, column: Int) -> String?

    /// Returns the value in the type in which it is stored.
    func value(row: Int, column: Int) -> SQLValue
}

/// The rows that a statement returned. They stay on the thread that ran it.
package struct Rows: RandomAccessCollection {
    private let source: (any RowSource)?
    package let endIndex: Int

    package var startIndex: Int { 0 }

    package init(_ source: (any RowSource)?) {
        self.source = source
        endIndex = source?.rowCount ?? 0
    }

    package subscript(position: Int) -> Row { Row(source: source, position: position) }
}

/// A row, whose values are read by the positions of their columns. NULL reads as 0, as empty or, as an optional, as `nil`.
package struct Row {
    fileprivate let source: (any RowSource)?
    fileprivate let position: Int

    /// Returns the bytes of a byte string or of a text.
    package func optionalBytes(_ column: some ColumnPosition) -> [UInt8]? {
        source?.bytes(row: position, column: column.position)
    }

    package func optionalInteger(_ column: some ColumnPosition) -> Int64? {
        source?.integer(row: position, column: column.position)
    }

    package func optionalText(_ column: some ColumnPosition) -> String? {
        source?.text(row: position, column: column.position)
    }

    /// Returns the value in the type in which it is stored.
    package func value(_ column: some ColumnPosition) -> SQLValue {
        source?.value(row: position, column: column.position) ?? .null
    }

    package func bytes(_ column: some ColumnPosition) -> [UInt8] { optionalBytes(column) ?? [] }

    package func integer(_ column: some ColumnPosition) -> Int64 { optionalInteger(column) ?? 0 }

    package func text(_ column: some ColumnPosition) -> String { optionalText(column) ?? "" }

    package func boolean(_ column: some ColumnPosition) -> Bool { integer(column) != 0 }
}

/// The position of a column in a row: a number, or a case of an enum that lists the columns.
package protocol ColumnPosition {
    var position: Int { get }
}

extension Int: ColumnPosition {
    package var position: Int { self }
}

/// The columns that a statement selects, in the order of its rows: one list creates both the SELECT and the reads.
package protocol SelectedColumn: ColumnPosition, CaseIterable, RawRepresentable<Int>, Sendable {}

extension SelectedColumn {
    package var position: Int { rawValue }

    /// The column's name: the case's name in the spelling of SQL, so that `userID` is `user_id`.
    package var sql: String {
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

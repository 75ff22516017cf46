/// The rows that a statement returned. They stay on the thread that ran it.
package struct Rows: RandomAccessCollection {
    private let result: PQResult?
    package let endIndex: Int

    package var startIndex: Int { 0 }

    init(_ result: PQResult?) {
        self.result = result
        endIndex = result?.rowCount ?? 0
    }

    package subscript(position: Int) -> Row { Row(result: result, position: position) }
}

/// A row, whose values are read by the positions of their columns. NULL reads as 0, as empty or, as an optional, as `nil`.
package struct Row {
    fileprivate let result: PQResult?
    fileprivate let position: Int

    /// Returns the bytes of a `bytea` or `text`.
    package func optionalBytes(_ column: some ColumnPosition) -> [UInt8]? {
        unsafe result?.value(row: position, column: column.position) { bytes in unsafe bytes.map { unsafe Array($0) } }
    }

    /// Returns a `bigint`, `integer` or `smallint`.
    package func optionalInteger(_ column: some ColumnPosition) -> Int64? {
        unsafe result?.value(row: position, column: column.position) { bytes in
            guard let bytes = unsafe bytes, let first = unsafe bytes.first else { return nil }
            let sign: UInt64 = first & 0x80 == 0 ? 0 : .max
            return Int64(bitPattern: unsafe bytes.reduce(sign) { $0 << 8 | UInt64($1) })
        }
    }

    package func optionalText(_ column: some ColumnPosition) -> String? {
        optionalBytes(column).map { String(decoding: $0, as: UTF8.self) }
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

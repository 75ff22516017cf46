import Storage

/// The rows of a result, whose values are in binary.
extension PQResult: RowSource {
    /// Types of columns, by their numbers in PostgreSQL's catalogue.
    private enum ColumnType: UInt32 {
        case boolean = 16
        case bytea = 17
        case bigint = 20
        case smallint = 21
        case integer = 23
    }

    func integer(row: Int, column: Int) -> Int64? {
        unsafe value(row: row, column: column) { bytes in
            guard let bytes = unsafe bytes, let first = unsafe bytes.first else { return nil }
            let sign: UInt64 = first & 0x80 == 0 ? 0 : .max
            return Int64(bitPattern: unsafe bytes.reduce(sign) { $0 << 8 | UInt64($1) })
        }
    }

    func bytes(row: Int, column: Int) -> [UInt8]? {
        unsafe value(row: row, column: column) { bytes in unsafe bytes.map { unsafe Array($0) } }
    }

    func text(row: Int, column: Int) -> String? {
        unsafe value(row: row, column: column) { bytes in
            unsafe bytes.map { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    func value(row: Int, column: Int) -> SQLValue {
        switch ColumnType(rawValue: typeNumber(column: column)) {
        case .bytea: bytes(row: row, column: column).sqlValue
        case .bigint, .integer, .smallint: integer(row: row, column: column).sqlValue
        case .boolean: integer(row: row, column: column).map { $0 != 0 }.sqlValue
        case nil: text(row: row, column: column).sqlValue
        }
    }
}

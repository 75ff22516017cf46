import CryptoPrimitives
import PostgreSQL
import SQLiteStore

/// A row of a file that PostgreSQL cannot hold; the text is for the operator, who has to find it.
struct BadRow: Error, Equatable, CustomStringConvertible {
    let description: String
}

extension CopyPlan.Table {
    /// A key of an index has to fit a third of a page.
    private static let keyBytesMax = 2_600

    /// Appends a row as COPY reads it.
    ///
    /// - Parameter values: One for each column.
    /// - Throws: `BadRow`, after which the encoder contains a part of the row.
    func encode(_ values: [StoredValue], into encoder: inout CopyEncoder) throws(BadRow) {
        encoder.beginRow(columns.count)
        var keyBytes = 0
        for (column, value) in zip(columns, values) {
            guard let count = column.append(value, to: &encoder) else {
                throw badRow(values, "\(column.target.name) \(column.problem(of: value))")
            }
            if column.isKey { keyBytes += count }
        }
        guard keyBytes <= Self.keyBytesMax else {
            throw badRow(values, "the key is longer than \(Self.keyBytesMax) bytes")
        }
    }

    private func badRow(_ values: [StoredValue], _ problem: String) -> BadRow {
        let key = zip(columns, values).filter(\.0.isKey).map { "\($0.target.name) \(Self.text($1))" }
        return BadRow(description: "\(name), \(key.joined(separator: ", ")): \(problem)")
    }

    private static func text(_ value: StoredValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real: "a fraction"
        case .blob(let bytes): "x'\(Hex.encode(bytes))'"
        case .text(let bytes): "\(String(decoding: bytes.prefix(200), as: UTF8.self).debugDescription)"
        }
    }
}

extension CopyPlan.Column {
    /// Appends a value and returns the number of its bytes, or `nil` if the column cannot have it.
    fileprivate func append(_ value: StoredValue, to encoder: inout CopyEncoder) -> Int? {
        switch (value, type) {
        case (.null, _):
            guard !target.isNotNull else { return nil }
            encoder.appendNull()
            return 0
        case (.integer(let number), .bigint):
            encoder.append(number)
            return 8
        case (.integer(let number), .boolean):
            encoder.append(number != 0)
            return 1
        case (.blob(let bytes), .bytea):
            encoder.append(bytes)
            return bytes.count
        case (.text(let bytes), .text) where Self.isText(bytes):
            encoder.append(bytes)
            return bytes.count
        default: return nil
        }
    }

    /// Whether bytes are UTF-8 without U+0000.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && (bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil)
    }

    /// Returns why `append` refused a value.
    fileprivate func problem(of value: StoredValue) -> String {
        switch value {
        case .null: "is NULL"
        case .text(let bytes) where type == .text:
            bytes.contains(0) ? "contains U+0000" : "is not UTF-8"
        default: "does not have the type \(type.rawValue)"
        }
    }
}

import CryptoPrimitives
import Foundation
import GRDB

/// The link from an audit row to the one before it: SHA-256 over that row's hash, the row's number and its content.
enum AuditLink {
    /// Replaces the hash of the previous row in the first row.
    static let origin = [UInt8](repeating: 0, count: SHA256.byteCount)

    /// `audit_link(previous, number, content)` in SQL, so that one statement reads the newest hash, links and inserts;
    /// fails if there is no newest hash.
    static let function = DatabaseFunction("audit_link", argumentCount: 3, pure: true) { arguments in
        guard let previous = Data.fromDatabaseValue(arguments[0]), let number = Int64.fromDatabaseValue(arguments[1]),
            let content = Data.fromDatabaseValue(arguments[2])
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the ends of the audit are missing") }
        return Data(hash(previous: previous, number: number, content: content))
    }

    /// Returns the hash of row `number`.
    static func hash(previous: some Collection<UInt8>, number: Int64, content: some Collection<UInt8>) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(previous.count + 8 + content.count)
        message += previous
        append(UInt64(bitPattern: number), to: &message)
        message += content
        return SHA256.hash(message)
    }

    /// Returns the row's values as bytes: each with its type and length, so that different rows never have the same bytes.
    ///
    /// Nulls at the end add nothing: a column that a later version adds leaves the hashes of older rows unchanged.
    static func content(_ values: [DatabaseValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        let count = (values.lastIndex { !$0.isNull } ?? -1) + 1
        for value in values.prefix(count) { append(value, to: &bytes) }
        return bytes
    }

    private static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) {
        switch value.storage {
        case .null: bytes.append(UInt8(ascii: "n"))
        case .int64(let number):
            bytes.append(UInt8(ascii: "i"))
            append(UInt64(bitPattern: number), to: &bytes)
        case .double(let number):
            bytes.append(UInt8(ascii: "d"))
            append(number.bitPattern, to: &bytes)
        case .string(let text):
            bytes.append(UInt8(ascii: "t"))
            append(UInt64(text.utf8.count), to: &bytes)
            bytes.append(contentsOf: text.utf8)
        case .blob(let blob):
            bytes.append(UInt8(ascii: "b"))
            append(UInt64(blob.count), to: &bytes)
            bytes.append(contentsOf: blob)
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

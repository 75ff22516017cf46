import CryptoPrimitives

/// A value of a statement's parameter, in PostgreSQL's binary format.
///
/// Whole numbers are sent as `bigint`, so a parameter that the server would take for an `integer` needs a cast: `$1::bigint`.
package struct SQLValue: Sendable, Equatable, SQLConvertible {
    /// The bytes of the value; `nil` for NULL.
    let bytes: [UInt8]?

    package static let null = SQLValue(bytes: nil)

    package var sqlValue: SQLValue { self }
}

/// A type whose values can be parameters of statements.
package protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
}

extension Int64: SQLConvertible {
    package var sqlValue: SQLValue { SQLValue(bytes: BigEndian.bytes(UInt64(bitPattern: self), count: 8)) }
}

extension Int: SQLConvertible {
    package var sqlValue: SQLValue { Int64(self).sqlValue }
}

extension Bool: SQLConvertible {
    package var sqlValue: SQLValue { SQLValue(bytes: [self ? 1 : 0]) }
}

extension String: SQLConvertible {
    package var sqlValue: SQLValue { SQLValue(bytes: Array(utf8)) }
}

extension [UInt8]: SQLConvertible {
    /// A `bytea`.
    package var sqlValue: SQLValue { SQLValue(bytes: self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

// MARK: - Arrays

extension SQLValue {
    /// The types of elements, by their numbers in PostgreSQL's catalogue.
    private enum ElementType: Int {
        case bytea = 17
        case bigint = 20
        case text = 25
    }

    /// Returns a `bigint[]`.
    package static func array(_ elements: [Int64]) -> SQLValue { array(elements.map(\.sqlValue), of: .bigint) }

    /// Returns a `text[]`.
    package static func array(_ elements: [String]) -> SQLValue { array(elements.map(\.sqlValue), of: .text) }

    /// Returns a `bytea[]`, whose elements may be NULL.
    package static func array(_ elements: [[UInt8]?]) -> SQLValue { array(elements.map(\.sqlValue), of: .bytea) }

    /// Writes an array of one dimension: its count, the type of its elements, and each element with its length.
    private static func array(_ elements: [SQLValue], of type: ElementType) -> SQLValue {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1.bytes?.count ?? 0) })
        func append(_ word: Int) { bytes += BigEndian.bytes(UInt64(bitPattern: Int64(word)), count: 4) }
        let (dimensions, hasNulls, firstIndex) = (1, 1, 1)
        for word in [dimensions, hasNulls, type.rawValue, elements.count, firstIndex] { append(word) }
        for element in elements {
            append(element.bytes?.count ?? -1)
            bytes += element.bytes ?? []
        }
        return SQLValue(bytes: bytes)
    }
}

import CryptoPrimitives

/// The values of an audit record as bytes, each with its type and length, so that different records never have the same bytes.
///
/// Nulls at the end add nothing: a column that a later version adds leaves the hashes of older records unchanged.
package struct AuditContent: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    package init(_ values: [SQLValue]) {
        bytes.reserveCapacity(128)
        let count = (values.lastIndex { $0 != .null } ?? -1) + 1
        for value in values.prefix(count) { append(value) }
    }

    /// Returns the hash of record `number`: SHA-256 over the hash of the one before, the number and the content.
    func hash(after previous: [UInt8], number: Int64) -> [UInt8] {
        SHA256.hash(previous + BigEndian.bytes(UInt64(bitPattern: number), count: 8) + bytes)
    }

    private mutating func append(_ value: SQLValue) {
        switch value {
        case .null, .integers, .texts, .byteStrings: bytes.append(UInt8(ascii: "n"))
        case .integer(let number): append("i", UInt64(bitPattern: number))
        case .boolean(let flag): append("i", flag ? 1 : 0)
        case .text(let text):
            append("t", UInt64(text.utf8.count))
            bytes += text.utf8
        case .bytes(let blob):
            append("b", UInt64(blob.count))
            bytes += blob
        }
    }

    private mutating func append(_ type: Unicode.Scalar, _ number: UInt64) {
        bytes.append(UInt8(truncatingIfNeeded: type.value))
        bytes += BigEndian.bytes(number, count: 8)
    }
}

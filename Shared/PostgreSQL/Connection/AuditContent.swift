import CryptoPrimitives

/// The values of an audit record as bytes, each with its type and length, so that different records never have the same bytes.
///
/// The form is that of the SQLite files, whose chains are continued here after a move.
package struct AuditContent: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []
    /// Nulls at the end add nothing: a column that a later version adds leaves the hashes of older records unchanged.
    private var nullCount = 0

    package init() {}

    package mutating func append(_ number: Int64) {
        begin("i")
        append(UInt64(bitPattern: number))
    }

    package mutating func append(_ text: String?) {
        guard let text else {
            nullCount += 1
            return
        }
        begin("t")
        append(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    package mutating func append(_ blob: [UInt8]?) {
        guard let blob else {
            nullCount += 1
            return
        }
        begin("b")
        append(UInt64(blob.count))
        bytes += blob
    }

    /// Returns the hash of record `number`: SHA-256 over the hash of the one before, the number and the content.
    func hash(after previous: [UInt8], number: Int64) -> [UInt8] {
        SHA256.hash(previous + BigEndian.bytes(UInt64(bitPattern: number), count: 8) + bytes)
    }

    private mutating func begin(_ type: Unicode.Scalar) {
        bytes += [UInt8](repeating: UInt8(ascii: "n"), count: nullCount)
        nullCount = 0
        bytes.append(UInt8(truncatingIfNeeded: type.value))
    }

    private mutating func append(_ number: UInt64) { bytes += BigEndian.bytes(number, count: 8) }
}

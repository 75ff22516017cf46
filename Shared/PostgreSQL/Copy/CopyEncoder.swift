/// Rows in the binary format of COPY.
package struct CopyEncoder {
    /// The signature, no flags, and no extension.
    package static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    package static let trailer: [UInt8] = [0xFF, 0xFF]

    /// The rows since the last `removeAll`.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Begins a row of a number of values.
    package mutating func beginRow(_ count: Int) { append(UInt64(truncatingIfNeeded: count), byteCount: 2) }

    /// Appends a NULL.
    package mutating func appendNull() { append(.max, byteCount: 4) }

    /// Appends a `bigint`.
    package mutating func append(_ number: Int64) {
        append(8, byteCount: 4)
        append(UInt64(bitPattern: number), byteCount: 8)
    }

    /// Appends a `boolean`.
    package mutating func append(_ flag: Bool) {
        append(1, byteCount: 4)
        bytes.append(flag ? 1 : 0)
    }

    /// Appends a `bytea` or `text`.
    package mutating func append(_ value: [UInt8]) {
        append(UInt64(truncatingIfNeeded: value.count), byteCount: 4)
        bytes += value
    }

    private mutating func append(_ number: UInt64, byteCount: Int) {
        for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

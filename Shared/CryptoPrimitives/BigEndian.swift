/// Conversion of numbers to bytes, most significant byte first.
package enum BigEndian {
    /// Returns the lowest `count` bytes of `number`.
    package static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    /// Returns the number in up to eight bytes; of more bytes, the last eight count.
    package static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

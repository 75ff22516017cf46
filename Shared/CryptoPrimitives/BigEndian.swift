/// Numbers as bytes, the most significant first.
package enum BigEndian {
    /// The lowest `count` bytes of `number`.
    package static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    /// The number that up to eight bytes are; of more, the last eight.
    package static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Writes CBOR in its shortest forms (RFC 8949 §4.2.1).
package enum CBORWriter {
    /// Returns the head of an item: its major type, and a number or length.
    package static func head(_ majorType: UInt8, _ argument: UInt64) -> [UInt8] {
        let type = majorType << 5
        switch argument {
        case 0..<24: return [type | UInt8(truncatingIfNeeded: argument)]
        case 24..<0x100: return [type | 24] + bigEndian(argument, 1)
        case 0x100..<0x1_0000: return [type | 25] + bigEndian(argument, 2)
        case 0x1_0000..<0x1_0000_0000: return [type | 26] + bigEndian(argument, 4)
        default: return [type | 27] + bigEndian(argument, 8)
        }
    }

    package static func integer(_ value: Int64) -> [UInt8] {
        value < 0 ? head(1, UInt64(bitPattern: ~value)) : head(0, UInt64(value))
    }

    package static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, UInt64(bytes.count)) + bytes }

    package static func text(_ text: String) -> [UInt8] { head(3, UInt64(text.utf8.count)) + text.utf8 }

    package static func array(_ items: [[UInt8]]) -> [UInt8] { head(4, UInt64(items.count)) + items.joined() }

    /// Returns a map of encoded keys and values, in this order.
    package static func map(_ members: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
        head(5, UInt64(members.count)) + members.flatMap { $0.key + $0.value }
    }

    private static func bigEndian(_ number: UInt64, _ count: UInt64) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

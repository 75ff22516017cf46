import CryptoPrimitives
import Storage

/// Values in PostgreSQL's binary format.
///
/// Whole numbers are sent as `bigint`, so a parameter that the server would take for an `integer` needs a cast.
extension SQLValue {
    /// The types of elements, by their numbers in PostgreSQL's catalogue.
    private enum ElementType: Int {
        case bytea = 17
        case bigint = 20
        case text = 25
    }

    /// The bytes of the value; `nil` for NULL.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): BigEndian.bytes(UInt64(bitPattern: number), count: 8)
        case .boolean(let flag): [flag ? 1 : 0]
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .integers(let numbers): Self.array(numbers.map { SQLValue.integer($0).encoded }, of: .bigint)
        case .texts(let texts): Self.array(texts.map { Array($0.utf8) }, of: .text)
        case .byteStrings(let elements): Self.array(elements, of: .bytea)
        }
    }

    /// Returns an array of one dimension: its count, the type of its elements, and each element with its length.
    private static func array(_ elements: [[UInt8]?], of type: ElementType) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        func append(_ word: Int) { bytes += BigEndian.bytes(UInt64(bitPattern: Int64(word)), count: 4) }
        let (dimensions, hasNulls, firstIndex) = (1, 1, 1)
        for word in [dimensions, hasNulls, type.rawValue, elements.count, firstIndex] { append(word) }
        for element in elements {
            append(element?.count ?? -1)
            bytes += element ?? []
        }
        return bytes
    }
}

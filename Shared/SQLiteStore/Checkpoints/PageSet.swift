/// A set of pages of a database file, by their numbers from 1 on.
package struct PageSet: Sendable, Equatable {
    /// Bit `n % 8` of byte `n / 8` represents page `n + 1`.
    private(set) var bits: [UInt8]

    package init() { bits = [] }

    init(bits: [UInt8]) { self.bits = bits }

    /// Creates the set of the pages 1 to `count`.
    package init(upTo count: UInt32) {
        self.init()
        for page in stride(from: UInt32(1), through: count, by: 1) { insert(page) }
    }

    package var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }
    package var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The pages in the order of their numbers.
    package var pages: [UInt32] {
        var pages: [UInt32] = []
        for (index, byte) in bits.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & (1 << bit) != 0 { pages.append(UInt32(8 * index + bit + 1)) }
        }
        return pages
    }

    package func contains(_ page: UInt32) -> Bool {
        guard let (byte, bit) = Self.place(of: page), byte < bits.count else { return false }
        return bits[byte] & bit != 0
    }

    /// Adds a page; there is no page 0.
    package mutating func insert(_ page: UInt32) {
        guard let (byte, bit) = Self.place(of: page) else { return }
        if byte >= bits.count { bits += repeatElement(0, count: byte + 1 - bits.count) }
        bits[byte] |= bit
    }

    package mutating func formUnion(_ other: PageSet) {
        if other.bits.count > bits.count { bits += repeatElement(0, count: other.bits.count - bits.count) }
        for (index, byte) in other.bits.enumerated() { bits[index] |= byte }
    }

    package mutating func subtract(_ pages: some Sequence<UInt32>) {
        for page in pages {
            guard let (byte, bit) = Self.place(of: page), byte < bits.count else { continue }
            bits[byte] &= ~bit
        }
    }

    private static func place(of page: UInt32) -> (byte: Int, bit: UInt8)? {
        guard page > 0 else { return nil }
        return (Int((page - 1) / 8), 1 << ((page - 1) % 8))
    }
}

import CryptoPrimitives

/// The state of a chain's check after the records so far.
struct AuditSlotCheck {
    /// The number of records that one statement reads.
    static let pageMax = 2_000

    private(set) var last: Int64
    private(set) var lastHash: [UInt8]
    private(set) var records = 0

    init(last: Int64, lastHash: [UInt8]) { (self.last, self.lastHash) = (last, lastHash) }

    /// Checks the next record, with its number, its hash and its `columnCount` values, and returns what is wrong with it.
    mutating func take(_ row: Row, columnCount: Int) -> String? {
        let number = row.integer(0)
        guard number > last else { return "record \(number) is older than the last removed one" }
        // The gap is named by the number of the missing record.
        guard number == last + 1 else { return "record \(last + 1) is missing" }
        let content = AuditContent((2..<2 + columnCount).map { row.value($0) })
        let hash = content.hash(after: lastHash, number: number)
        guard constantTimeEqual(row.bytes(1), hash) else { return "record \(number) is not as it was written" }
        (last, lastHash, records) = (number, hash, records + 1)
        return nil
    }
}

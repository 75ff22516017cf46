/// A chain of audit records, and a number in it.
package struct AuditPlace: Codable, Sendable, Hashable {
    package var slot: Int64
    package var number: Int64

    package init(slot: Int64, number: Int64) { (self.slot, self.number) = (slot, number) }
}

/// Requests the audit records after a place in each chain, in the order of each chain; answered with `AuditTailPage`.
package struct AuditTailRequest: Codable, Sendable, Equatable {
    package static let placesMax = 4_096

    /// The last record that was read of each chain; chains that are missing are read from their first record.
    package var after: [AuditPlace]
    /// 1 to `AuditPage.recordsMax`.
    package var limit: Int
    /// Whether somebody begins to read, which is a record itself.
    package var begins: Bool

    package init(after: [AuditPlace], limit: Int, begins: Bool) {
        (self.after, self.limit, self.begins) = (after, limit, begins)
    }

    /// The places by their chains.
    ///
    /// - Throws: `InvalidInput` for a page of a wrong size or places of nonsense.
    package func places() throws(InvalidInput) -> [Int64: Int64] {
        guard (1...AuditPage.recordsMax).contains(limit) else { throw InvalidInput(member: "limit") }
        guard after.count <= Self.placesMax, after.allSatisfy({ $0.slot >= 0 && $0.number >= 0 }) else {
            throw InvalidInput(member: "after")
        }
        return Dictionary(after.map { ($0.slot, $0.number) }, uniquingKeysWith: min)
    }
}

/// Audit records in the order of their chains. Fewer than were requested are the last that there are now.
package struct AuditTailPage: Codable, Sendable, Equatable {
    /// A record, whose number is that in its chain.
    package struct Record: Codable, Sendable, Equatable {
        package var slot: Int64
        package var record: AuditPage.Record

        package init(slot: Int64, record: AuditPage.Record) { (self.slot, self.record) = (slot, record) }
    }

    package var records: [Record]

    package init(records: [Record]) { self.records = records }
}

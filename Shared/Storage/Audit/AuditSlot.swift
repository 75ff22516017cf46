import CryptoPrimitives

/// One of the numbered chains of audit records, which one connection continues at a time.
///
/// A record's number is the next one of its slot and exists once, so a connection that does not know the newest record writes
/// nothing.
package struct AuditSlot: Sendable, Equatable {
    /// The only slot of a file.
    package static let ofFile: Int64 = 0

    package let number: Int64
    /// The number and the hash of the newest record; 0 and zeros before the first one.
    package private(set) var newest: Int64
    package private(set) var newestHash: [UInt8]

    package init(number: Int64, newest: Int64, newestHash: [UInt8]) {
        (self.number, self.newest, self.newestHash) = (number, newest, newestHash)
    }

    /// Moves the chain's end to the next record.
    ///
    /// - Throws: `corrupt` if there is no next number.
    mutating func append(_ content: AuditContent) throws(StorageError) {
        let (next, overflows) = newest.addingReportingOverflow(1)
        guard !overflows else { throw StorageError(.corrupt, "the end of the audit has no valid number") }
        newest = next
        newestHash = content.hash(after: newestHash, number: newest)
    }

    /// The statement that stores the chain's end.
    package var storing: Statement {
        Statement(
            "UPDATE audit_slots SET newest = $2, newest_hash = $3 WHERE number = $1", number, newest, newestHash)
    }

    /// Reads a chain's end; `nil` if there is no such slot.
    package static func read(_ number: Int64, in reader: any StatementReader) throws -> AuditSlot? {
        try reader.rows("SELECT newest, newest_hash FROM audit_slots WHERE number = $1", number).first.map {
            AuditSlot(number: number, newest: $0.integer(0), newestHash: $0.bytes(1))
        }
    }
}

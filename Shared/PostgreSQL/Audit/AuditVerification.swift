import CryptoPrimitives
import Storage

/// Checks the chains of a schema's audit, each from its anchor to its newest record.
package struct AuditVerification: Sendable, Equatable {
    /// A chain whose records are all there and as they were written.
    package struct Slot: Sendable, Equatable {
        package let number: Int64
        package let records: Int
        /// The newest record's number and hash. Kept elsewhere, they later prove that no record was removed or rewritten.
        package let newest: Int64
        package let newestHash: [UInt8]
    }

    package let slots: [Slot]

    /// Reads the whole audit.
    ///
    /// - Returns: `nil` if the schema does not exist, or the role may not read it.
    /// - Throws: `corrupt` with the first fault.
    package static func run(in reading: Reading) throws -> AuditVerification? {
        guard try reading.rows("SELECT to_regclass('audit_slots') IS NOT NULL").first?.boolean(0) == true else {
            return nil
        }
        let ends = try reading.rows(
            "SELECT number, newest, newest_hash, removed, removed_hash FROM audit_slots ORDER BY number")
        try requireAll(ends, in: reading)
        let columns = try ContentColumn.all(in: reading)
        return AuditVerification(slots: try ends.map { try slot($0, columns, in: reading) })
    }

    /// Slots have consecutive numbers.
    private static func requireAll(_ ends: Rows, in reading: Reading) throws {
        var next = ends.first?.integer(0) == AuditSlotCheck.copied ? AuditSlotCheck.copied : 1
        for end in ends {
            guard end.integer(0) == next else { throw fault(next, "is missing") }
            next += 1
        }
        let others = try reading.rows(
            "SELECT slot FROM audit WHERE slot NOT IN (SELECT number FROM audit_slots) LIMIT 1")
        if let slot = others.first?.integer(0) { throw fault(slot, "is missing, but has records") }
    }

    private static func slot(_ end: Row, _ columns: [ContentColumn], in reading: Reading) throws -> Slot {
        let number = end.integer(0)
        var check = AuditSlotCheck(slot: number, last: end.integer(3), lastHash: end.bytes(4))
        let sql = """
            SELECT \((["number", "hash"] + columns.map(\.sql)).joined(separator: ", ")) FROM audit
            WHERE slot = $1 AND number > $2 ORDER BY number LIMIT $3::bigint
            """
        // A record before the anchor would be found by the first page.
        var after = Int64.min
        while true {
            let rows = try reading.rows(sql, number, after, AuditSlotCheck.pageMax)
            for row in rows {
                if let finding = check.take(row, columns) { throw fault(number, finding) }
            }
            guard rows.count == AuditSlotCheck.pageMax, let last = rows.last else { break }
            after = last.integer(0)
        }
        let newest = end.integer(1)
        if check.last < newest { throw fault(number, "record \(check.last + 1) is missing") }
        guard check.last == newest, constantTimeEqual(check.lastHash, end.bytes(2)) else {
            throw fault(number, "record \(check.last) is not the one that was written last")
        }
        return Slot(number: number, records: check.records, newest: newest, newestHash: check.lastHash)
    }

    private static func fault(_ slot: Int64, _ finding: String) -> StorageError {
        StorageError(.corrupt, "slot \(slot): \(finding)")
    }
}

import CryptoPrimitives

/// Checks the chains of a database's audit, each from its anchor to its newest record.
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

    /// Whether there is an audit that the role may read.
    private static let exists = SQL(
        sqlite: "SELECT count(*) FROM sqlite_master WHERE name = 'audit_slots'",
        postgreSQL: "SELECT to_regclass('audit_slots') IS NOT NULL")
    /// All columns except those of the chain, in the writer's order.
    private static let columns = SQL(
        sqlite: """
            SELECT name FROM pragma_table_info('audit') WHERE name NOT IN ('slot', 'number', 'hash') ORDER BY cid
            """,
        postgreSQL: """
            SELECT attname::text FROM pg_attribute WHERE attrelid = 'audit'::regclass AND attnum > 0 AND NOT attisdropped
                AND attname NOT IN ('slot', 'number', 'hash', 'id') ORDER BY attnum
            """)

    /// Reads the whole audit.
    ///
    /// - Returns: `nil` if there is none, or the role may not read it.
    /// - Throws: `corrupt` with the first fault.
    package static func run(in reader: any StatementReader) throws -> AuditVerification? {
        guard try reader.rows(exists).first?.boolean(0) == true else { return nil }
        let ends = try reader.rows(
            "SELECT number, newest, newest_hash, removed, removed_hash FROM audit_slots ORDER BY number")
        try requireAll(ends, in: reader)
        let columns = try reader.rows(columns).map { "\"\($0.text(0))\"" }
        return AuditVerification(slots: try ends.map { try slot($0, columns, in: reader) })
    }

    /// Slots have consecutive numbers. That of a file comes before those of a server to which the file was copied.
    private static func requireAll(_ ends: Rows, in reader: any StatementReader) throws {
        var next = ends.first?.integer(0) == AuditSlot.ofFile ? AuditSlot.ofFile : 1
        for end in ends {
            guard end.integer(0) == next else { throw fault(next, "is missing") }
            next += 1
        }
        let others = try reader.rows(
            "SELECT slot FROM audit WHERE slot NOT IN (SELECT number FROM audit_slots) LIMIT 1")
        if let slot = others.first?.integer(0) { throw fault(slot, "is missing, but has records") }
    }

    private static func slot(_ end: Row, _ columns: [String], in reader: any StatementReader) throws -> Slot {
        let number = end.integer(0)
        var check = AuditSlotCheck(last: end.integer(3), lastHash: end.bytes(4))
        let sql: SQL = """
            SELECT \((["number", "hash"] + columns).joined(separator: ", ")) FROM audit
            WHERE slot = $1 AND number >= $2 ORDER BY number LIMIT $3
            """
        // A record before the anchor would be found by the first page.
        var start = Int64.min
        while true {
            let rows = try reader.rows(sql, number, start, AuditSlotCheck.pageMax)
            for row in rows {
                if let finding = check.take(row, columnCount: columns.count) { throw fault(number, finding) }
            }
            guard rows.count == AuditSlotCheck.pageMax, let last = rows.last else { break }
            start = last.integer(0) + 1
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

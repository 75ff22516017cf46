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

    /// Slots have consecutive numbers. Number 0 is the chain of a file that was copied.
    private static func requireAll(_ ends: Rows, in reading: Reading) throws {
        var next = min(ends.first?.integer(0) ?? 1, 1)
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
        var check = AuditSlotCheck(last: end.integer(3), lastHash: end.bytes(4))
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
            guard rows.count == AuditSlotCheck.pageMax else { break }
            after = check.last
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

/// The state of a chain's check after the records so far.
private struct AuditSlotCheck {
    /// The number of records that one statement reads.
    static let pageMax = 2_000

    private(set) var last: Int64
    private(set) var lastHash: [UInt8]
    private(set) var records = 0

    init(last: Int64, lastHash: [UInt8]) { (self.last, self.lastHash) = (last, lastHash) }

    /// Checks the next record and returns what is wrong with it.
    mutating func take(_ row: Row, _ columns: [ContentColumn]) -> String? {
        let number = row.integer(0)
        if isUnlinked(row) { return nil }
        guard number > last else { return "record \(number) is older than the last removed one" }
        // The gap is named by the number of the missing record.
        guard number == last + 1 else { return "record \(last + 1) is missing" }
        guard [false, true].contains(where: { isWritten(row, columns, isOfFile: $0) }) else {
            return "record \(number) is not as it was written"
        }
        (last, lastHash, records) = (number, row.bytes(1), records + 1)
        return nil
    }

    /// Whether a record is of a file from before its chain existed. These exist only as long as no linked record was removed.
    private func isUnlinked(_ row: Row) -> Bool {
        row.integer(0) <= last && records == 0 && row.bytes(1).isEmpty && lastHash.allSatisfy { $0 == 0 }
    }

    private func isWritten(_ row: Row, _ columns: [ContentColumn], isOfFile: Bool) -> Bool {
        var content = AuditContent()
        for (place, column) in columns.enumerated() { column.append(row, place + 2, isOfFile: isOfFile, to: &content) }
        return constantTimeEqual(row.bytes(1), content.hash(after: lastHash, number: row.integer(0)))
    }
}

/// A column whose values are part of a record's hash.
private struct ContentColumn {
    /// The types of columns, by their numbers in PostgreSQL's catalogue.
    private enum Kind: Int64 {
        case bytea = 17
        case bigint = 20
        case text = 25
    }

    let sql: String
    private let kind: Kind

    /// Returns all columns except those of the chain, in the writer's order.
    static func all(in reading: Reading) throws -> [ContentColumn] {
        try reading.rows(
            """
            SELECT quote_ident(attname), atttypid::bigint FROM pg_attribute
            WHERE attrelid = 'audit'::regclass AND attnum > 0 AND NOT attisdropped
                AND attname NOT IN ('slot', 'number', 'hash', 'id') ORDER BY attnum
            """
        ).map { row in
            guard let kind = Kind(rawValue: row.integer(1)) else {
                throw StorageError(
                    .schema, "the audit's column \(row.text(0)) has a type that this release does not know")
            }
            return ContentColumn(sql: row.text(0), kind: kind)
        }
    }

    /// - Parameter isOfFile: Whether an id of another form than usual counts as the text that a file has for it. Here it is that
    ///   text with zeros, of more than 16 bytes.
    func append(_ row: Row, _ place: Int, isOfFile: Bool, to content: inout AuditContent) {
        switch kind {
        case .bytea:
            let bytes = row.optionalBytes(place)
            guard isOfFile, let bytes, bytes.count > 16 else { return content.append(bytes) }
            content.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        case .text: content.append(row.optionalText(place))
        case .bigint:
            guard let number = row.optionalInteger(place) else { return content.append(nil as String?) }
            content.append(number)
        }
    }
}

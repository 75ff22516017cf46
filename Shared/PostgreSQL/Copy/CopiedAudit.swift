package import Storage

/// The check of an audit that was copied from a file: its chain is slot 0.
extension CopyTarget {
    /// The end of a chain that is as it was written.
    package struct AuditEnd: Sendable, Equatable {
        package let records: Int
        package let newest: Int64
        package let newestHash: [UInt8]
    }

    private static let slot: Int64 = 0
    private static let recordsPerRead = 2_000

    /// Reads the whole chain and computes every hash again.
    ///
    /// - Parameter columns: The columns of the records' content, in the order of their hash.
    /// - Throws: `corrupt` with the number of the first record that is not as it was written.
    package func verifyAudit(_ columns: [Column]) throws(StorageError) -> AuditEnd {
        try perform { session in
            let ends = try session.rows(
                "SELECT removed, removed_hash, newest, newest_hash FROM audit_slots WHERE number = $1", Self.slot
            ).first
            guard let ends else { throw StorageError(.corrupt, "the audit has no slot 0") }
            var (last, hash, count) = (ends.integer(0), ends.bytes(1), 0)
            // Records from before the chain existed have no hash, and are before its anchor.
            while true {
                let rows = try Self.records(after: last, columns, in: session)
                for row in rows {
                    let number = row.integer(0)
                    guard number == last + 1, Self.isWritten(row, columns, after: hash) else {
                        throw StorageError(.corrupt, "record \(last + 1) of the audit is not as it was written")
                    }
                    (last, hash, count) = (number, row.bytes(1), count + 1)
                }
                guard rows.count == Self.recordsPerRead else { break }
            }
            guard last == ends.integer(2), hash == ends.bytes(3) else {
                throw StorageError(.corrupt, "record \(last) of the audit is not the one that was written last")
            }
            return AuditEnd(records: count, newest: last, newestHash: hash)
        }
    }

    private static func records(after number: Int64, _ columns: [Column], in session: Session) throws -> Rows {
        try session.rows(
            """
            SELECT number, hash, \(columns.map { "\"\($0.name)\"" }.joined(separator: ", ")) FROM audit
            WHERE slot = $1 AND number > $2 ORDER BY number LIMIT $3::bigint
            """, slot, number, recordsPerRead)
    }

    /// Whether a record has the hash of its values.
    private static func isWritten(_ row: Row, _ columns: [Column], after previous: [UInt8]) -> Bool {
        [false, true].contains { isText in
            var content = AuditContent()
            for (column, position) in zip(columns, 2...) {
                switch column.type {
                case .bigint: content.append(row.integer(position))
                case .bytea: append(row.optionalBytes(position), asText: isText, to: &content)
                case .text, .boolean, nil: content.append(row.optionalText(position))
                }
            }
            return content.hash(after: previous, number: row.integer(0)) == row.bytes(1)
        }
    }

    /// Appends bytes, or the text that a file has instead: for an id of a user in another form, which here ends in zeros.
    private static func append(_ bytes: [UInt8]?, asText isText: Bool, to content: inout AuditContent) {
        guard isText, let bytes, bytes.count > 16 else { return content.append(bytes) }
        content.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }
}

import CryptoPrimitives
import Storage

/// The state of a chain's check after the records so far.
struct AuditSlotCheck {
    /// The number of records that one statement reads.
    static let pageMax = 2_000
    /// The slot with the chain of a file that was copied.
    static let copied: Int64 = 0

    private let isCopied: Bool
    private(set) var last: Int64
    private(set) var lastHash: [UInt8]
    private(set) var records = 0

    init(slot: Int64, last: Int64, lastHash: [UInt8]) {
        isCopied = slot == Self.copied
        (self.last, self.lastHash) = (last, lastHash)
    }

    /// Checks the next record and returns what is wrong with it.
    mutating func take(_ row: Row, _ columns: [ContentColumn]) -> String? {
        let number = row.integer(0)
        guard number > last else { return "record \(number) is older than the last removed one" }
        // The gap is named by the number of the missing record.
        guard number == last + 1 else { return "record \(last + 1) is missing" }
        let hash = row.bytes(1)
        // A file has ids of users as texts if they have another form than usual.
        let isWritten = (isCopied ? [false, true] : [false]).contains { hasTexts in
            var content = AuditContent()
            for (column, place) in zip(columns, 2...) { column.append(row, place, hasTexts: hasTexts, to: &content) }
            return constantTimeEqual(hash, content.hash(after: lastHash, number: number))
        }
        guard isWritten else { return "record \(number) is not as it was written" }
        (last, lastHash, records) = (number, hash, records + 1)
        return nil
    }
}

/// A column whose values are part of a record's hash.
struct ContentColumn {
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

    /// - Parameter hasTexts: Whether ids with more than the usual 16 bytes are hashed as the texts that they are, without the zeros
    ///   at their end.
    func append(_ row: Row, _ place: Int, hasTexts: Bool, to content: inout AuditContent) {
        switch kind {
        case .bytea:
            let bytes = row.optionalBytes(place)
            guard hasTexts, let bytes, bytes.count > 16 else { return content.append(bytes) }
            content.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        case .text: content.append(row.optionalText(place))
        case .bigint:
            guard let number = row.optionalInteger(place) else { return content.append(nil as String?) }
            content.append(number)
        }
    }
}

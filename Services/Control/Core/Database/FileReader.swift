import CryptoPrimitives
import PostgreSQL
import SQLiteStore

/// Reads the tables of a file in the form in which PostgreSQL gets them, a part at a time.
struct FileReader {
    private static let chunkBytes = 1 << 16
    private static let badRowsShown = 20

    let file: ExclusiveFile
    let plan: CopyPlan

    /// The contents of a file.
    struct Contents: Equatable {
        /// The SHA-256 of all rows.
        let digest: [UInt8]
        /// The number of rows of each table, by its name in the schema.
        let rows: [String: Int]
    }

    /// Reads everything, and checks that PostgreSQL can hold it.
    ///
    /// - Throws: `CommandFailure` that lists the rows that it cannot hold.
    func check() throws -> Contents {
        var digest = SHA256Stream()
        var rows: [String: Int] = [:]
        var (bad, badCount): ([BadRow], Int) = ([], 0)
        for table in plan.tables {
            digest.update(Array("\(table.name)\n".utf8).span)
            rows[table.name] = try read(
                table,
                onBadRow: { row in
                    badCount += 1
                    if bad.count < Self.badRowsShown { bad.append(row) }
                }, { part, _ in digest.update(part.span) })
        }
        guard badCount > 0 else { return Contents(digest: digest.finish(), rows: rows) }
        throw CommandFailure(
            description: """
                \(file.path): PostgreSQL cannot hold \(badCount) rows; nothing was copied. Correct them with sqlite3, and run \
                the command again:
                \(bad.map(\.description).joined(separator: "\n"))
                """)
    }

    /// Calls `body` with the encoded rows of a table, a part at a time.
    ///
    /// - Parameters:
    ///   - onBadRow: Called for a row that PostgreSQL cannot hold.
    ///   - body: Gets a part and the number of rows so far.
    /// - Returns: The number of rows.
    @discardableResult
    func read(
        _ table: CopyPlan.Table, onBadRow: (BadRow) throws -> Void = { throw $0 },
        _ body: (_ part: [UInt8], _ rows: Int) throws -> Void
    ) throws -> Int {
        var encoder = CopyEncoder()
        var count = 0
        try file.forEach(table.columns.map(\.expression), from: "\"\(table.name)\"") { values in
            do throws(BadRow) { try table.encode(values, into: &encoder) } catch { try onBadRow(error) }
            count += 1
            guard encoder.bytes.count >= Self.chunkBytes else { return }
            try body(encoder.bytes, count)
            encoder.removeAll()
        }
        if !encoder.bytes.isEmpty { try body(encoder.bytes, count) }
        return count
    }
}

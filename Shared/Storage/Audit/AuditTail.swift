/// Reads the records of each chain of the table `audit` in their order, from the place at which it was left.
///
/// The numbers of a chain have no gaps and become visible in their order, so no record is missed, however late its transaction ends.
package struct AuditTail {
    private static let ends: SQL = "SELECT number, newest FROM audit_slots ORDER BY number"

    /// The last number that was read of each slot.
    private let places: [Int64: Int64]
    private let limit: Int

    package init(after places: [Int64: Int64], limit: Int) { (self.places, self.limit) = (places, limit) }

    /// Returns up to `limit` records, slot by slot.
    ///
    /// - Parameters:
    ///   - columns: of the table; the record's number comes before them.
    ///   - make: makes a record of its slot and its row.
    package func records<Record>(
        _ columns: [String], in reader: any StatementReader, _ make: (_ slot: Int64, Row) throws -> Record
    ) throws -> [Record] {
        var records: [Record] = []
        for end in try reader.rows(Self.ends) where records.count < limit {
            let (slot, newest, place) = (end.integer(0), end.integer(1), places[end.integer(0)] ?? 0)
            guard place != newest else { continue }
            // A restored chain has fewer records than were read of it: it is read again.
            let start = place > newest ? 0 : place
            let rows = try reader.rows(Self.selection(columns), slot, start, limit - records.count)
            records += try rows.map { try make(slot, $0) }
        }
        return records
    }

    static func selection(_ columns: [String]) -> SQL {
        SQL(
            """
            SELECT number, \(columns.joined(separator: ", ")) FROM audit WHERE slot = $1 AND number > $2
            ORDER BY number LIMIT $3
            """)
    }
}

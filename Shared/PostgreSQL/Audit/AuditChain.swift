/// The table `audit` of a schema: records that are only added, each linked to the one before in its slot by its hash.
///
/// `id` orders the records of all slots for who reads them. `audit_slots` has the ends of each chain: the newest record, and the
/// last one that the retention removed.
package struct AuditChain: Sendable {
    /// Returns the statements that make the tables, as a part of a service's schema.
    ///
    /// - Parameter columns: the definitions of all columns besides the chain's own, as SQL.
    package static func tables(columns: String) -> String {
        """
        CREATE TABLE audit_slots (
            number bigint PRIMARY KEY,
            newest bigint NOT NULL,
            newest_hash bytea NOT NULL,
            removed bigint NOT NULL,
            removed_hash bytea NOT NULL
        ) WITH (fillfactor = 20);
        CREATE TABLE audit (
            slot bigint NOT NULL,
            number bigint NOT NULL,
            hash bytea NOT NULL,
            id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
            \(columns),
            PRIMARY KEY (slot, number)
        )
        """
    }

    private let insertion: String

    /// - Parameter columns: the names of all columns besides the chain's own.
    package init(columns: [String]) {
        let places = (4..<4 + columns.count).map { "$\($0)" }.joined(separator: ", ")
        insertion = """
            INSERT INTO audit (slot, number, hash, \(columns.joined(separator: ", "))) VALUES ($1, $2, $3, \(places))
            """
    }

    /// Adds a record in the transaction of the change that it records, so that no change is made without its record.
    ///
    /// - Parameters:
    ///   - content: the values, for the hash.
    ///   - values: one for each column.
    package func append(_ content: AuditContent, _ values: [any SQLConvertible], in transaction: Transaction) throws {
        try transaction.appendToAudit(content, insertion: insertion, values)
    }
}

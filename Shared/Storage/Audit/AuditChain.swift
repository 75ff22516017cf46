/// The table `audit` of a database: records that are only added, each linked to the one before in its slot by its hash.
///
/// `audit_slots` has the ends of each chain: the newest record, and the last one that the retention removed. A file has one slot,
/// number 0, which its replicas continue in turn. On a server each connection continues a slot of its own, so that no transaction
/// waits for another one's record; `id` orders the records of all slots for who reads them.
package struct AuditChain: Sendable {
    private let insertion: SQL

    /// - Parameter columns: the names of all columns besides the chain's own.
    package init(columns: [String]) {
        let places = SQL.places(from: 4, count: columns.count)
        insertion = """
            INSERT INTO audit (slot, number, hash, \(columns.joined(separator: ", "))) VALUES ($1, $2, $3, \(places))
            """
    }

    /// Adds a record in the transaction of the change that it records, so that no change is made without its record.
    ///
    /// - Parameter values: one for each column.
    package func append(_ values: [SQLValue], in transaction: any Transaction) throws {
        var slot = try transaction.auditSlot()
        try slot.append(AuditContent(values))
        try transaction.setAuditSlot(slot)
        let own: [any SQLConvertible] = [slot.number, slot.newest, slot.newestHash]
        try transaction.run([Statement(insertion, own + values)])
    }
}

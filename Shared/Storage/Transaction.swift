/// The statements of one transaction, which take effect together or not at all. It stays on the thread of its connection.
///
/// On a server, a statement whose rows are not read waits for the next one whose rows are read, or for the COMMIT, and travels
/// with it. A transaction takes as many round trips as it has calls of `results`, and one more.
package protocol Transaction: StatementReader {
    /// Runs statements whose rows are not needed. The failure of one fails the transaction, at the latest when it is committed.
    func run(_ statements: [Statement]) throws

    /// Waits for all other transactions that have one of the locks, before the next statement.
    ///
    /// Locks are taken in the order of `AdvisoryLock.Kind`, and before any row is changed. A file has one writer at a time, so that
    /// it needs no locks.
    func lock(_ locks: [AdvisoryLock])

    /// Takes the locks of all things of a kind whose names the statement selects, as bytes in one column.
    func lock(_ kind: AdvisoryLock.Kind, namedBy statement: Statement)

    /// Returns the chain that this transaction's audit records continue.
    func auditSlot() throws -> AuditSlot

    /// Stores the chain's end with the transaction.
    func setAuditSlot(_ slot: AuditSlot) throws
}

extension Transaction {
    /// Runs a statement whose rows are not needed.
    package func run(_ sql: SQL, _ values: any SQLConvertible...) throws { try run([Statement(sql, values)]) }

    /// Takes locks, in the order that all transactions keep.
    package func lock(_ locks: AdvisoryLock...) { lock(locks) }
}

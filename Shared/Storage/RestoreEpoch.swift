/// The epoch of a database: a number below which no counter means anything since a restore; 0 before the first restore.
package enum RestoreEpoch {
    /// Selects the epoch.
    package static let selection: SQL = "SELECT epoch FROM restore_floor"

    /// Returns the epoch.
    package static func read(in reader: any StatementReader) throws -> Int64 {
        try reader.rows(selection).first?.integer(0) ?? 0
    }

    /// Raises the epoch, unless it is higher already.
    ///
    /// - Parameter floor: A Unix time in seconds.
    package static func raise(to floor: Int64, in transaction: any Transaction) throws {
        try transaction.run("UPDATE restore_floor SET epoch = greatest(epoch, $1)", floor)
    }
}

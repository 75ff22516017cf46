/// Finds and removes rows of one kind that are no longer needed.
///
/// `find` costs only readers; `remove` runs in a transaction and gets few keys at a time.
package protocol Sweep: Sendable {
    /// The label in the metrics.
    var kind: String { get }
    /// The time between two passes through the rows.
    var interval: Duration { get }

    /// Looks for rows to remove, at most `SweepLimits.rowsPerBatchMax` of them.
    ///
    /// - Parameter start: NULL at first, then the `next` of the last finding.
    func find(from start: SQLValue, now: Int64, in reader: any StatementReader) throws -> SweepFinding

    /// Removes the rows of `keys` unless they are needed again.
    ///
    /// - Returns: The number of rows removed.
    func remove(_ keys: [SQLValue], now: Int64, in transaction: any Transaction) throws -> Int
}

/// The result of a look through the rows.
package struct SweepFinding: Sendable, Equatable {
    /// The rows to remove.
    package let keys: [SQLValue]
    /// Where the next look begins; NULL at the end of the pass.
    package let next: SQLValue

    package init(keys: [SQLValue], next: SQLValue) { (self.keys, self.next) = (keys, next) }
}

/// The bounds of the load that sweeping causes.
package enum SweepLimits {
    /// The number of rows that one transaction removes: well below a millisecond of a file's writer.
    package static let rowsPerBatchMax = 64
    /// The number of rows that one look reads.
    package static let rowsPerLookMax = 1_024
    /// The pause between two batches or looks.
    package static let pause: Duration = .milliseconds(20)
    /// The pause between two checks for due sweeps.
    package static let interval: Duration = .seconds(5)
    /// How many seconds a silent lease holder makes the other replicas wait.
    package static let leaseSeconds: Int64 = 60
}

package import GRDB

/// Finds and removes rows of one kind that are no longer needed.
///
/// `find` costs only readers; `remove` runs in the writing transaction and gets few keys at a time.
package protocol Sweep: Sendable {
    /// The label in the metrics.
    var kind: String { get }
    /// The time between two passes through the rows.
    var interval: Duration { get }

    /// Looks for rows to remove, at most `SweepLimits.rowsPerBatchMax` of them.
    ///
    /// - Parameter start: `nil` at first, then the `next` of the last finding.
    func find(from start: DatabaseValue?, now: Int64, in database: Database) throws -> SweepFinding

    /// Removes the rows of `keys` unless they are needed again.
    ///
    /// - Returns: The number of rows removed.
    func remove(_ keys: [DatabaseValue], now: Int64, in database: Database) throws -> Int
}

/// The result of a look through the rows.
package struct SweepFinding: Sendable, Equatable {
    /// The rows to remove.
    package let keys: [DatabaseValue]
    /// Where the next look begins; `nil` at the end of the pass.
    package let next: DatabaseValue?

    package init(keys: [DatabaseValue], next: DatabaseValue?) {
        self.keys = keys
        self.next = next
    }
}

/// The bounds of the load that sweeping causes.
package enum SweepLimits {
    /// The number of rows that one transaction removes: well below a millisecond of the writer's time.
    package static let rowsPerBatchMax = 64
    /// The number of rows that one look reads.
    package static let rowsPerLookMax = 1024
    /// Pause between two batches or looks.
    package static let pause: Duration = .milliseconds(20)
    /// The pause between two checks for due sweeps.
    package static let interval: Duration = .seconds(5)
    /// How many seconds a silent lease holder makes the other replicas wait.
    package static let leaseSeconds: Int64 = 60
}

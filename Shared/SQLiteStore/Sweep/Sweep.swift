package import GRDB

/// Finds and removes rows of one kind that nothing needs any more.
///
/// What `find` does costs readers only; `remove` runs in the writing transaction and gets few keys at a time.
package protocol Sweep: Sendable {
    /// The label in the metrics.
    var kind: String { get }
    /// Time between two passes through the rows.
    var interval: Duration { get }

    /// Looks for rows to remove, at most `SweepLimits.rowsPerBatchMax` of them.
    ///
    /// - Parameter start: nil at first, then the `next` of the last finding.
    func find(from start: DatabaseValue?, now: Int64, in database: Database) throws -> SweepFinding

    /// Removes the rows of `keys` unless they are needed again.
    ///
    /// - Returns: how many rows went.
    func remove(_ keys: [DatabaseValue], now: Int64, in database: Database) throws -> Int
}

/// What a look through the rows found.
package struct SweepFinding: Sendable, Equatable {
    /// The rows to remove.
    package let keys: [DatabaseValue]
    /// Where the next look begins; nil at the end of the pass.
    package let next: DatabaseValue?

    package init(keys: [DatabaseValue], next: DatabaseValue?) {
        self.keys = keys
        self.next = next
    }
}

/// Bounds of what sweeping may cost the others.
package enum SweepLimits {
    /// Rows that one transaction removes: well below a millisecond of the writer's time.
    package static let rowsPerBatchMax = 64
    /// Rows that one look passes.
    package static let rowsPerLookMax = 1024
    /// Pause between two batches or looks.
    package static let pause: Duration = .milliseconds(20)
    /// Pause between two looks at what is due.
    package static let interval: Duration = .seconds(5)
    /// How long a holder that falls silent keeps the others waiting.
    package static let leaseSeconds: Int64 = 60
}

/// Finds and removes rows of one kind that are no longer needed.
package protocol Sweep: Sendable {
    /// The label in the metrics.
    var kind: String { get }
    /// The time between two passes through the rows.
    var interval: Duration { get }

    /// Looks at the rows after a key, at most `SweepLimits.rowsPerLookMax` of them.
    ///
    /// - Parameter start: `nil` at first, then the `end` of the last look.
    func look(after start: SQLValue?, now: Int64, in reading: Reading) throws -> SweepFinding

    /// Removes the rows after `start`, up to `end`, that are still not needed.
    ///
    /// - Returns: The number of rows removed.
    func remove(after start: SQLValue?, upTo end: SQLValue, now: Int64, in transaction: Transaction) throws -> Int
}

/// The result of a look through the rows.
package struct SweepFinding: Sendable {
    /// The key of the last row of the look; `nil` if there is none.
    let end: SQLValue?
    /// Whether there are rows to remove.
    let hasExpired: Bool
    /// Whether more rows follow.
    let hasMore: Bool
}

/// The bounds of the load that sweeping causes.
enum SweepLimits {
    /// The number of rows that one transaction removes.
    static let rowsPerBatchMax = 64
    /// The number of rows that one look reads.
    static let rowsPerLookMax = 1_024
    /// The pause between two looks.
    static let pause: Duration = .milliseconds(20)
    /// The pause between two checks for due sweeps.
    static let interval: Duration = .seconds(5)
    /// How many seconds a silent lease holder makes the other replicas wait.
    static let leaseSeconds: Int64 = 60
}

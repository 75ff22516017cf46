package import Storage

/// Storage of the audit records that wait in Redis streams.
package protocol AuditStore: Sendable {
    /// Adds records that were not added before, in one transaction with the lease.
    ///
    /// - Returns: `false` if another replica has the lease; nothing was written then.
    func add(_ entries: [AuditStreamEntry], lease: Lease, now: Int64) async throws -> Bool
}

/// A record of a Redis stream that waits to be added.
package struct AuditStreamEntry: Sendable, Equatable, Identifiable {
    /// The record's id in the stream, which prevents adding it twice.
    package let id: String
    /// Unix time in seconds.
    package let time: Int64
    package let entry: AuditEntry
    /// The encrypted identity whose account is reviewed; `nil` for all but the records of long lockouts.
    let reviewedIdentity: [UInt8]?
    /// The counts that it adds to those of the hour.
    package let counts: [String: Int64]
    /// Whether it is a record of the audit, and not only counted.
    package let isRecord: Bool

    package init(
        id: String, time: Int64, entry: AuditEntry, reviewedIdentity: [UInt8]? = nil, counts: [String: Int64] = [:],
        isRecord: Bool = true
    ) {
        (self.id, self.time, self.entry, self.reviewedIdentity) = (id, time, entry, reviewedIdentity)
        (self.counts, self.isRecord) = (counts, isRecord)
    }
}

package import Storage

/// The audit, as far as other services fill it.
package protocol AuditStore: Sendable {
    /// Adds records that were not added before, in one transaction with the lease.
    ///
    /// - Returns: false when a replica has the lease; nothing was written.
    func add(_ entries: [AuditStreamEntry], lease: Lease, now: Int64) async throws -> Bool
}

/// A record of another service that waits to be added.
package struct AuditStreamEntry: Sendable, Equatable, Identifiable {
    /// The stream's own id, by which a record is never added twice.
    package let id: String
    /// Unix time in seconds.
    package let time: Int64
    package let entry: AuditEntry

    package init(id: String, time: Int64, entry: AuditEntry) {
        self.id = id
        self.time = time
        self.entry = entry
    }
}

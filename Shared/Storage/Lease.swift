/// The right of one process among its replicas to run a timer job for a while.
package struct Lease: Sendable, Equatable {
    /// The job's name.
    package let name: String
    /// This process, told apart from its replicas.
    package let holder: String
    /// How long a holder that falls silent keeps the others waiting.
    package let lifetimeSeconds: Int64

    package init(name: String, holder: String, lifetimeSeconds: Int64) {
        self.name = name
        self.holder = holder
        self.lifetimeSeconds = lifetimeSeconds
    }
}

/// Leases that all replicas see.
package protocol LeaseStore: Sendable {
    /// Takes or prolongs a lease.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: whether this process holds it now.
    func take(_ lease: Lease, now: Int64) async throws -> Bool

    /// Gives a lease up, so that a replica need not wait for its end.
    func release(_ lease: Lease) async throws
}

/// The right of one process among its replicas to run a timer job for a while.
package struct Lease: Sendable, Equatable {
    /// The job's name.
    package let name: String
    /// The name of this process, different from its replicas'.
    package let holder: String
    /// How many seconds a silent holder makes the other replicas wait.
    package let lifetimeSeconds: Int64

    /// How many seconds before its end a lease is one of a clock that was set back since, and counts as expired. Clocks of replicas
    /// differ a little.
    package var longestSeconds: Int64 { 2 * lifetimeSeconds }

    package init(name: String, holder: String, lifetimeSeconds: Int64) {
        self.name = name
        self.holder = holder
        self.lifetimeSeconds = lifetimeSeconds
    }
}

/// Leases that all replicas see.
package protocol LeaseStore: Sendable {
    /// Takes or extends a lease.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: Whether this process has the lease now.
    func take(_ lease: Lease, now: Int64) async throws -> Bool

    /// Releases a lease, so that a replica need not wait until it expires.
    func release(_ lease: Lease) async throws
}

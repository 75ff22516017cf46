import Policies

/// The checks that requests pass before they are carried out: the limits, and the bearer's token.
final class EdgeGate: Sendable {
    let access: EdgeGuard
    let lookup: RevocationLookup
    let limits: EdgeLimits
    let metrics: EdgeMetrics
    /// The rules of the endpoints for administrators.
    let admin: AdminPolicy
    let libraries: ClientLibraryCounts
    /// The open WebSockets and live responses.
    let long: LongConnections

    init(
        access: EdgeGuard, lookup: RevocationLookup, limits: EdgeLimits, metrics: EdgeMetrics,
        libraries: ClientLibraryCounts, long: LongConnections, admin: AdminPolicy = AdminPolicy()
    ) {
        self.access = access
        self.lookup = lookup
        self.limits = limits
        self.metrics = metrics
        self.libraries = libraries
        self.long = long
        self.admin = admin
    }
}

internal import Policies
internal import SQLiteStore

/// What of `users.sqlite` goes with time; deliveries leave the outbox when they are confirmed.
enum ExpiredRows {
    /// Resolutions also go four at a time with each sign-in; here go those that a rush has left.
    static let resolutions = IndexedSweep(table: "resolutions", key: "attestation_id", expiry: "expires_at")

    /// All kinds.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        [resolutions, AuditRetention(days: policy.audit.retentionDays)]
    }
}

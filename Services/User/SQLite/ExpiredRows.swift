import Policies
import SQLiteStore
import UserCore

/// What of `users.sqlite` goes with time; deliveries leave the outbox when they are confirmed.
enum ExpiredRows {
    static let resolutions = ExpirySweep(table: "resolutions", key: "attestation_id", expiry: "expires_at")

    /// All kinds.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        [resolutions, AuditRetention(days: policy.audit.retentionDays)]
    }
}

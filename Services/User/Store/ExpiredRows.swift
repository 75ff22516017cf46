import InternalAPI
import Policies
import Storage
import UserCore
import UserEvents

/// The rows of the schema that expire. Outbox rows are removed when they are confirmed; only dead mails and dead revocations at Apple
/// expire.
enum ExpiredRows {
    /// Returns all sweeps.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        tables + [
            AuditRetention(days: policy.audit.retentionDays), EventRows.sweep(keepDays: policy.userHook.keepDays),
        ]
    }

    /// The time at which a dead row of the outbox expires, as SQL; NULL for any other row.
    private static let deadRowExpiry = """
        CASE WHEN \(OutboxRows.isDead(.mail)) THEN created_at + \(OutboxLimits.deadMailKeptSeconds)
            WHEN \(OutboxRows.isDead(.apple)) THEN created_at + \(OutboxLimits.deadRevocationKeptSeconds) END
        """

    static let tables = [
        resolutions,
        ExpirySweep(table: "registrations", key: "id", expiry: "expires_at"),
        ExpirySweep(table: "account_links", key: "hash", expiry: "expires_at"),
        ExpirySweep(table: "first_answers", key: "call", expiry: "expires_at"),
        // By their ids without an index, since there are few.
        ExpirySweep(table: "invitations", key: "id", expiry: "expires_at"),
        ExpirySweep(table: "pending_changes", key: "id", expiry: pendingExpiry), deadRows, decisions,
        OriginRows.expiry, reviews, HourlyCounts.sweep,
    ]

    /// The time at which a change expires that was not verified, as SQL; NULL for any other change.
    private static let pendingExpiry =
        "CASE WHEN moves_at IS NULL THEN created_at + \(PendingChange.unverifiedSeconds) END"

    static let resolutions = ExpirySweep(table: "resolutions", key: "attestation_id", expiry: "expires_at")
    static let deadRows = ExpirySweep(table: "outbox", key: "id", expiry: deadRowExpiry)
    static let reviews = ExpirySweep(table: "reviews", key: "user_id", expiry: "ends_at")
    static let decisions = ExpirySweep(
        table: "decisions", key: "sequence", expiry: "at", outlivesSeconds: SecurityDecision.keptSeconds)
}

import GRDB
import Policies
import SQLiteStore
import TokenCore

/// What of `tokens.sqlite` goes with time.
enum ExpiredRows {
    /// All kinds. Ended keys stay, so that no `kid` is given twice.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        tables + [AuditRetention(days: policy.audit.retentionDays)]
    }

    static let tables = [
        sessions,
        ExpirySweep(table: "spent_grants", key: "id", expiry: "expires_at"),
        ExpirySweep(
            table: "revocations", key: "sid", expiry: "access_expires_at",
            outlivesSeconds: Revocation.extraSeconds),
        ExpirySweep(
            table: "version_floors", key: "sid", expiry: "access_expires_at",
            outlivesSeconds: Revocation.extraSeconds),
        ExpirySweep(table: "key_revocations", key: "kid", expiry: "holds_until"),
        // Of removed users alone: the others' expire never.
        ExpirySweep(table: "user_epochs", key: "user_id", expiry: "expires_at"),
    ]

    /// Sessions that nobody can refresh any more and whose last access token has expired: a revocation finds the session as
    /// long as it could matter. For a week a client that comes back is told that its session has expired, where a dialect
    /// names it.
    private static let sessions = ExpirySweep(
        table: "sessions", key: "locator",
        expiry: "max(access_expires_at, min(idle_expires_at, coalesce(absolute_expires_at, idle_expires_at)))",
        outlivesSeconds: 7 * 86_400)
}

import Policies
import Storage
import TokenCore
import UserEvents

/// The rows that expire.
enum ExpiredRows {
    /// Returns the sweeps of all kinds. Ended keys stay, so that no `kid` is used twice.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        [
            SessionSweep(rows: sessions), AuditRetention(days: policy.audit.retentionDays),
            EventRows.sweep(keepDays: policy.userHook.keepDays),
        ] + tables.filter { $0.kind != sessions.kind }
    }

    static let tables = [
        sessions,
        ExpirySweep(table: "used_grants", key: "id", expiry: "expires_at"),
        ExpirySweep(
            table: "revocations", key: "sid", expiry: "access_expires_at",
            outlivesSeconds: Revocation.extraSeconds),
        ExpirySweep(
            table: "version_floors", key: "sid", expiry: "access_expires_at",
            outlivesSeconds: Revocation.extraSeconds),
        ExpirySweep(table: "key_revocations", key: "kid", expiry: "holds_until"), HourlyCounts.sweep,
        // Only the rows of removed users expire.
        ExpirySweep(table: "user_epochs", key: "user_id", expiry: "expires_at"),
    ]

    /// Sessions that can no longer be refreshed and whose last access token has expired, a week later: until then a returning
    /// client learns that its session has expired, in dialects that state it.
    private static let sessions = ExpirySweep(table: "sessions", key: "locator", outlivesSeconds: 7 * 86_400) {
        "access_expires_at <= \($0) AND (idle_expires_at <= \($0) OR absolute_expires_at <= \($0))"
    }
}

import InternalAPI
import Policies
import PostgreSQL
import UserCore

/// The rows of the schema that expire. Outbox rows are removed when they are confirmed; only dead mails expire.
enum ExpiredRows {
    /// Returns all sweeps.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        tables + [AuditRetention(days: policy.audit.retentionDays)]
    }

    static let tables = [
        ExpirySweep(table: "resolutions", key: "attestation_id", expiry: "expires_at"),
        ExpirySweep(table: "registrations", key: "id", expiry: "expires_at"),
        ExpirySweep(table: "account_links", key: "hash", expiry: "expires_at"),
        ExpirySweep(table: "first_answers", key: "call", expiry: "expires_at"),
        // By their ids without an index, since there are few.
        ExpirySweep(table: "invitations", key: "id", expiry: "expires_at"),
        ExpirySweep(
            table: "outbox", key: "id", expiry: "CASE WHEN \(OutboxRows.isDeadMail) THEN created_at END",
            outlivesSeconds: OutboxLimits.deadMailKeptSeconds),
        ExpirySweep(
            table: "decisions", key: "sequence", expiry: "at", outlivesSeconds: SecurityDecision.keptSeconds),
    ]
}

import InternalAPI
import Policies
import SQLiteStore
import UserCore

/// The rows of `users.sqlite` that expire. Outbox rows are removed when they are confirmed; only dead mails and dead revocations at Apple
/// expire.
enum ExpiredRows {
    static let resolutions = ExpirySweep(table: "resolutions", key: "attestation_id", expiry: "expires_at")
    static let registrations = ExpirySweep(table: "registrations", key: "id", expiry: "expires_at")
    static let links = ExpirySweep(table: "account_links", key: "hash", expiry: "expires_at")
    static let firstAnswers = ExpirySweep(table: "first_answers", key: "call", expiry: "expires_at")

    /// Expired invitations. They are removed by their ids without an index, since there are few.
    static let invitations = ExpirySweep(table: "invitations", key: "id", expiry: "expires_at")

    /// Dead rows of the outbox. It is one sweep for both kinds, since the sweeper knows a table's next pass by the table's name.
    static let deadRows = ExpirySweep(
        table: "outbox", key: "id",
        expiry: """
            CASE WHEN \(OutboxRows.isDeadMail) THEN created_at + \(OutboxLimits.deadMailKeptSeconds)
                WHEN \(OutboxRows.isDead(.apple)) THEN created_at + \(OutboxLimits.deadRevocationKeptSeconds) END
            """)

    static let decisions = ExpirySweep(
        table: "decisions", key: "sequence", expiry: "at", outlivesSeconds: SecurityDecision.keptSeconds)

    /// All sweeps.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        [
            resolutions, registrations, links, firstAnswers, invitations, deadRows, decisions,
            AuditRetention(days: policy.audit.retentionDays),
        ]
    }
}

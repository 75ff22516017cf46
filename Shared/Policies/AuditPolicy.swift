/// The records that the audit keeps, and for how long.
package struct AuditPolicy: Sendable, Equatable {
    /// How successful refreshes are recorded.
    package enum Refresh: String, Sendable, CaseIterable {
        /// Counters on the session's row.
        case counters
        /// One record for each refresh.
        case full
    }

    package var refresh = Refresh.counters
    package var retentionDays = 365

    package init() {}
}

extension AuditPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "refresh", \.refresh, .choice,
            "How successful refreshes are recorded: in counters on the session, or in full, a record for each."),
        Key("retentionDays", \.retentionDays, .integer(1...3_650), "The days for which records are kept."),
    ]
}

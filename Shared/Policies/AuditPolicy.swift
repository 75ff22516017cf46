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
    /// Section `audit`:
    /// - `refresh` counters or full, default counters
    /// - `retentionDays` integer, 1...3,650, default 365
    init(reading section: PolicySection) {
        section.choice("refresh", into: &refresh)
        section.integer("retentionDays", in: 1...3_650, into: &retentionDays)
    }
}

import InternalAPI

/// The signing keys; times are Unix seconds.
struct AdminKeys: Codable, Sendable {
    struct AdminKey: Codable, Sendable {
        let kid: String
        let algorithm: String
        let state: String
        let stateSince: Int64?
        let createdAt: Int64?
        let nextStateAt: Int64?
    }

    let keys: [AdminKey]

    init(_ list: KeyList) {
        keys = list.keys.map {
            AdminKey(
                kid: $0.kid, algorithm: $0.algorithm, state: $0.state.rawValue, stateSince: $0.stateSince,
                createdAt: $0.createdAt, nextStateAt: $0.nextStateAt)
        }
    }
}

/// The cost of messages, and the budgets; amounts are in ten-thousandths of the currency.
struct AdminSpend: Codable, Sendable {
    struct AdminSpendRow: Codable, Sendable {
        let row: String
        let sends: Int64
        let approved: Int64
        let spent: Int64
        let refused: Int64
        let spentThisHour: Int64
        let hourBudget: Int64?
        let spentToday: Int64
        let dayBudget: Int64?

        init(_ row: GuardReport.Row) {
            (self.row, sends, approved, spent) = (row.row, row.sends, row.approved, row.spent)
            (refused, spentThisHour, hourBudget) = (row.refused, row.spentThisHour, row.hourBudget)
            (spentToday, dayBudget) = (row.spentToday, row.dayBudget)
        }
    }

    let mode: String?
    let currency: String?
    let strangersPercent: Int64?
    let rows: [AdminSpendRow]

    init(_ report: GuardReport) {
        (mode, currency, strangersPercent) = (report.mode, report.currency, report.strangersPercent)
        rows = report.rows.map(AdminSpendRow.init)
    }
}

/// The events of messages to one recipient, oldest first; times are Unix seconds.
struct AdminTrace: Codable, Sendable {
    struct AdminTraceEntry: Codable, Sendable {
        let at: Int64
        let count: Int64
        let kind: String
        let requestId: String?
        let details: [String]
    }

    let entries: [AdminTraceEntry]

    init(_ trace: TraceAnswer) {
        entries = trace.entries.map {
            AdminTraceEntry(
                at: $0.at, count: $0.count, kind: $0.kind, requestId: $0.requestID, details: $0.details)
        }
    }
}

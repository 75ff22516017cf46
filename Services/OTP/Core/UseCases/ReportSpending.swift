import InternalAPI
import Policies

/// Reports the costs of messages and how many of their codes were used, row by row, to the operator.
struct ReportSpending: Sendable {
    let policy: SpendPolicy
    let book: SpendBook
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func callAsFunction(_ request: GuardReportRequest) async throws -> GuardReport {
        guard (1...GuardReportRequest.hoursMax).contains(request.hours) else { throw InvalidInput(member: "hours") }
        let now = now()
        let (hour, day) = (now / SpendRules.hourSeconds, now / SpendRules.daySeconds)
        let (hours, days) = try await book.counters(
            hours: (0..<request.hours).map { hour - $0 }, days: [day])
        let table = Table(policy: policy, hours: hours, today: days.first ?? [:])
        return GuardReport(
            mode: policy.mode.rawValue, currency: policy.currency, strangersPercent: policy.strangersPercent,
            rows: table.rows)
    }

    /// The counters in the form of the report.
    struct Table {
        let policy: SpendPolicy
        /// The hours, the current one first.
        let hours: [[String: Int64]]
        let today: [String: Int64]

        var rows: [GuardReport.Row] {
            let own = policy.rows.map { row($0.prefix, $0.hour, $0.day) }
            let total = GuardReport.Row(
                row: "total", sends: own.reduce(0) { $0 + $1.sends }, approved: own.reduce(0) { $0 + $1.approved },
                spent: sum("total"), refused: own.reduce(0) { $0 + $1.refused },
                spentThisHour: hours.first?["total"] ?? 0, hourBudget: policy.budget.hour,
                spentToday: today["total"] ?? 0, dayBudget: policy.budget.day)
            return [total] + own.filter { $0.sends + $0.approved + $0.refused + $0.spentToday > 0 }
        }

        private func row(_ prefix: String, _ hourBudget: Int64?, _ dayBudget: Int64?) -> GuardReport.Row {
            GuardReport.Row(
                row: prefix, sends: sum(prefix + "#"), approved: sum(prefix + "+"), spent: sum(prefix),
                refused: sum(prefix + "-"), spentThisHour: hours.first?[prefix] ?? 0, hourBudget: hourBudget,
                spentToday: today[prefix] ?? 0, dayBudget: dayBudget)
        }

        private func sum(_ name: String) -> Int64 { hours.reduce(0) { $0 + ($1[name] ?? 0) } }
    }
}

import CoreMetrics
import InternalAPI
import Logging
import Policies
import ServiceKit
import ServiceLifecycle

/// Records the spending of this hour and today in the metrics, with the budgets.
struct SpendWatch: Service {
    private static let interval: Duration = .seconds(10)

    let policy: SpendPolicy
    let book: SpendBook
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) { await look() }
    }

    private func look() async {
        let now = now()
        do throws(ChallengeStoreFailure) {
            let (hours, days) = try await book.counters(
                hours: [now / SpendRules.hourSeconds], days: [now / SpendRules.daySeconds])
            for row in ReportSpending.Table(policy: policy, hours: hours, today: days.first ?? [:]).rows {
                Self.show(row.row, "hour", row.spentThisHour, row.hourBudget)
                Self.show(row.row, "day", row.spentToday, row.dayBudget)
            }
        } catch {
            logger.debug("otp.spend.unread", metadata: ["cause": "\(error)"])
        }
    }

    private static func show(_ scope: String, _ window: String, _ amount: Int64, _ budget: Int64?) {
        let dimensions = [("scope", scope), ("window", window)]
        Gauge(label: "auth_spend_amount", dimensions: dimensions).record(amount)
        if let budget { Gauge(label: "auth_spend_budget", dimensions: dimensions).record(budget) }
    }
}

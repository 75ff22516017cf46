/// Requests the cost of messages; answered with `GuardReport`.
package struct GuardReportRequest: Codable, Sendable, Equatable {
    package static let hoursMax: Int64 = 48

    /// The number of hours to report, the current one included: 1 to `hoursMax`.
    package var hours: Int64

    package init(hours: Int64) { self.hours = hours }
}

/// The cost of messages by price row; amounts are in ten-thousandths of the currency's unit.
package struct GuardReport: Codable, Sendable, Equatable {
    package struct Row: Codable, Sendable, Equatable {
        /// The row's prefix; `total` for the sum of all rows.
        package var row: String
        /// Messages sent, codes approved and money spent, within the requested hours.
        package var sends: Int64
        package var approved: Int64
        package var spent: Int64
        /// Messages that exceeded a budget; under `observe` they were sent.
        package var refused: Int64
        /// Money spent in the current hour and day, and the budgets for them; `nil` if the row has no budget of its own.
        package var spentThisHour: Int64
        package var hourBudget: Int64?
        package var spentToday: Int64
        package var dayBudget: Int64?

        package init(
            row: String, sends: Int64, approved: Int64, spent: Int64, refused: Int64, spentThisHour: Int64,
            hourBudget: Int64?, spentToday: Int64, dayBudget: Int64?
        ) {
            self.row = row
            self.sends = sends
            self.approved = approved
            self.spent = spent
            self.refused = refused
            self.spentThisHour = spentThisHour
            self.hourBudget = hourBudget
            self.spentToday = spentToday
            self.dayBudget = dayBudget
        }
    }

    /// `observe` or `enforce`; `nil` if the policy has no section `spend`, or messages go only to the inbox.
    package var mode: String?
    package var currency: String?
    package var strangersPercent: Int64?
    /// The total first, then the rows that messages were sent to, in the policy's order.
    package var rows: [Row]

    package init(mode: String? = nil, currency: String? = nil, strangersPercent: Int64? = nil, rows: [Row] = []) {
        self.mode = mode
        self.currency = currency
        self.strangersPercent = strangersPercent
        self.rows = rows
    }
}

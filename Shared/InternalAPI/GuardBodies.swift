/// Asks what messages cost; answered with `GuardReport`.
package struct GuardReportRequest: Codable, Sendable, Equatable {
    package static let hoursMax: Int64 = 48

    /// 1 to `hoursMax`, this one among them.
    package var hours: Int64

    package init(hours: Int64) { self.hours = hours }
}

/// What messages cost, by row of prices; amounts are in ten-thousandths of the currency's unit.
package struct GuardReport: Codable, Sendable, Equatable {
    package struct Row: Codable, Sendable, Equatable {
        /// The row's prefix; `total` for all together.
        package var row: String
        /// Of the hours that were asked for: messages, codes that were approved, what was spent.
        package var sends: Int64
        package var approved: Int64
        package var spent: Int64
        /// Messages that a budget did not hold; under `observe` they went out.
        package var refused: Int64
        /// Of this hour and this day, with what may be spent; nil: no budget of its own.
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

    /// `observe` or `enforce`; nil: the policy has no section `spend`, or messages go to the inbox alone.
    package var mode: String?
    package var currency: String?
    package var strangersPercent: Int64?
    /// All together first, then the rows that something was sent to, in the policy's order.
    package var rows: [Row]

    package init(mode: String? = nil, currency: String? = nil, strangersPercent: Int64? = nil, rows: [Row] = []) {
        self.mode = mode
        self.currency = currency
        self.strangersPercent = strangersPercent
        self.rows = rows
    }
}

/// The page of what messages cost.
struct MoneyPage: Sendable {
    /// Amounts are in parts of the currency's unit, this many to one.
    static let unit: Int64 = 10_000
    /// The row with the sum of all others.
    private static let total = "total"

    let spend: Spend?
    let frame: PageFrame

    var body: HTML {
        guard let spend else { return frame.missing(.money) }
        let words = frame.words
        let rows = spend.rows.map { row -> [HTML] in
            [
                "\(row.row == Self.total ? words(.allCountries) : row.row)", "\(row.sends)", "\(row.approved)",
                "\(Self.amount(row.spent))", row.refused == 0 ? "0" : "<span class=\"bad\">\(row.refused)</span>",
                "\(Self.amount(row.spentToday)) / \(row.dayBudget.map(Self.amount) ?? "–")",
            ]
        }
        return """
            <section><p class="hint">\(words(.moneyAdvice)) \(spend.currency ?? "") \
            \(spend.mode == "observe" ? "(\(words(.observed)))" : "")</p>
            \(frame.table([.number, .sent, .usedCodes, .spent, .refusedMessages, .budget], rows, empty: .emptyMoney))
            </section>
            """
    }

    /// Returns what is spent today, and the budget.
    static func summary(_ spend: Spend) -> String {
        guard let total = spend.rows.first(where: { $0.row == total }) else { return "0" }
        return "\(amount(total.spentToday)) / \(total.dayBudget.map(amount) ?? "–") \(spend.currency ?? "")"
    }

    /// Returns an amount with two decimals.
    static func amount(_ parts: Int64) -> String {
        let cents = parts / (unit / 100)
        let rest = abs(cents % 100)
        return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

package import PhoneNumbers

/// The bounds on the cost of messages to phone numbers. Amounts are in ten-thousandths of the currency's unit.
package struct SpendPolicy: Sendable, Equatable {
    /// The treatment of a message that exceeds a budget.
    package enum Mode: String, Sendable, CaseIterable {
        /// The message is sent, and counted as one that enforcement would refuse.
        case observe
        case enforce
    }

    /// The amounts that may be spent in an hour of the clock and in a day in UTC.
    package struct Budget: Sendable, Equatable {
        package var hour: Int64
        package var day: Int64

        package init(hour: Int64, day: Int64) {
            self.hour = hour
            self.day = day
        }
    }

    /// The price of a message to phone numbers that begin with the same prefix, and the budget for them.
    package struct Row: Sendable, Equatable {
        /// The prefix, e.g. `+44`; the row for all other phone numbers is called `default`.
        package var prefix = ""
        /// The prices by channel.
        package var prices: [String: Int64] = [:]
        /// The row's own hourly budget; `nil` if only the common budget applies.
        package var hour: Int64?
        package var day: Int64?

        package init(prefix: String = "", prices: [String: Int64] = [:], hour: Int64? = nil, day: Int64? = nil) {
            self.prefix = prefix
            self.prices = prices
            self.hour = hour
            self.day = day
        }
    }

    package static let defaultRow = "default"
    /// The channels that a price can be set for.
    package static let channels = ["sms", "call", "whatsapp"]
    private static let amountMax: Int64 = 1_000_000_000_000
    private static let priceMax: Int64 = 10_000_000
    private static let rowsMax = 512

    package var mode = Mode.enforce
    /// The currency's code of ISO 4217; only shown.
    package var currency = "USD"
    package var budget = Budget(hour: amountMax, day: amountMax)
    /// The percentage of each budget that unrecognised clients may use; the remainder is for recognised clients.
    package var strangersPercent: Int64 = 80
    package var rows: [Row] = []

    package init() {}

    /// The row of the longest prefix that the phone number begins with.
    package func row(for number: PhoneNumber) -> Row? { row(e164: number.e164) }

    func row(e164: String) -> Row? {
        let fitting = rows.filter { $0.prefix == Self.defaultRow || e164.hasPrefix($0.prefix) }
        return fitting.max { $0.rank < $1.rank }
    }

    /// The part of a budget that unrecognised clients may use.
    package func unrecognisedPart(of budget: Int64) -> Int64 { budget * strangersPercent / 100 }
}

extension SpendPolicy.Row {
    fileprivate var rank: Int { prefix == SpendPolicy.defaultRow ? 0 : prefix.utf8.count }
}

extension SpendPolicy {
    /// Section `spend`; if it is missing, there are no budgets. Amounts are integers, in ten-thousandths of the currency's
    /// unit:
    /// - `mode` observe or enforce, default enforce
    /// - `currency` three capital letters of ISO 4217, required; it is only shown
    /// - `budget` section of `hour` and `day`, 1...1,000,000,000,000, required
    /// - `strangersPercent` integer, 1...100, default 80
    /// - `prices` list of 1...512 rows, required: `prefix` "+44" or default, which one of them has to be; `sms`, `call` and
    ///   `whatsapp`, 0...10,000,000 each; `hour` and `day` as in `budget`, default none
    init(reading section: PolicySection) {
        section.choice("mode", into: &mode)
        section.requiredText("currency", .currency, into: &currency)
        section.requiredSection("budget") { budget in
            budget.requiredInteger("hour", in: 1...Self.amountMax, into: &self.budget.hour)
            budget.requiredInteger("day", in: 1...Self.amountMax, into: &self.budget.day)
        }
        section.integer("strangersPercent", in: 1...100, into: &strangersPercent)
        section.requiredList("prices", count: 1...Self.rowsMax, into: &rows, Self.row)
        let prefixes = rows.map(\.prefix)
        if Set(prefixes).count != prefixes.count {
            section.refuse("prices", "contains a prefix twice. Name each once.")
        }
        if !rows.isEmpty, !prefixes.contains(Self.defaultRow) {
            section.refuse("prices", "has no row with prefix default; it is needed for all other numbers")
        }
        refuseChannelsWithoutSender(section)
    }

    private static func row(_ section: PolicySection) -> Row {
        var row = Row()
        section.requiredText("prefix", .priceRow, into: &row.prefix)
        for channel in channels {
            var price: Int64?
            section.integerOrNone(channel, in: 0...priceMax, into: &price)
            if let price { row.prices[channel] = price }
        }
        section.integerOrNone("hour", in: 1...amountMax, into: &row.hour)
        section.integerOrNone("day", in: 1...amountMax, into: &row.day)
        return row
    }

    /// Refuses a budget whose part for unrecognised clients does not pay for one message. The mistake would only show at a
    /// sign-in.
    private func refuseChannelsWithoutSender(_ section: PolicySection) {
        for (index, row) in rows.enumerated() {
            let least = unrecognisedPart(of: [budget.hour, budget.day, row.hour, row.day].compactMap { $0 }.min() ?? 0)
            guard let dearest = row.prices.values.max(), dearest > least else { continue }
            section.refuse(
                "prices", item: "[\(index)]",
                "a message costs \(dearest), but unrecognised clients may use only \(least) of the smallest budget. "
                    + "Raise the budget or strangersPercent.")
        }
    }
}

extension PolicyDraft {
    /// Requires a price in each row for each channel that messages use.
    func requirePrices(of channels: [String], _ root: PolicySection) {
        guard let spend else { return }
        for (index, row) in spend.rows.enumerated() {
            guard let channel = channels.first(where: { row.prices[$0] == nil }) else { continue }
            root.refuse("spend", item: ".prices[\(index)].\(channel)", "is missing: messages go out by \(channel)")
        }
    }
}

extension ValueRule where Value == String {
    fileprivate static var currency: TextRule {
        TextRule("three capital letters of ISO 4217, such as USD") { text in
            text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        }
    }

    fileprivate static var priceRow: TextRule {
        TextRule("default, or a calling code and the digits after it in quotes, such as \"+1\" or \"+4475\"") { text in
            if text == SpendPolicy.defaultRow { return true }
            let digits = text.utf8.dropFirst()
            return text.utf8.first == UInt8(ascii: "+") && (1...14).contains(digits.count)
                && digits.first != UInt8(ascii: "0") && digits.allSatisfy { (0x30...0x39).contains($0) }
        }
    }
}

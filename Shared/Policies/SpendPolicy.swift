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
    fileprivate static let amountMax: Int64 = 1_000_000_000_000
    fileprivate static let priceMax: Int64 = 10_000_000
    private static let rowsMax = 512

    package var mode = Mode.enforce
    package var currency = "USD"
    package var budget = Budget(hour: amountMax, day: amountMax)
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
    static let keys: [Key<Self>] = [
        Key(
            "mode", \.mode, .choice,
            "Whether a message over a budget is refused, or sent and counted as one that `enforce` would refuse."),
        Key(
            "currency", \.currency, .text(.currency), "The currency's code, which is only shown.", required: true,
            example: "USD"),
        Key(
            "budget", section: \.budget, Budget.keys, "The amounts by hour of the clock and by day in UTC.",
            required: true, example: "{ hour: 200000, day: 1000000 }"),
        Key(
            "strangersPercent", \.strangersPercent, .integer(1...100),
            "The part of each budget that unrecognised clients may use; the rest is for recognised ones."),
        Key(
            "prices", \.rows, .list(1...rowsMax, .section(Row(), Row.keys)),
            "The prices of messages by the prefix of the phone number. The longest matching prefix decides, and the row "
                + "`default` is needed.",
            required: true, example: "[{ prefix: default, sms: 2500, call: 5000 }]"),
    ]

    func check(_ section: PolicySection) {
        let prefixes = rows.map(\.prefix)
        if Set(prefixes).count != prefixes.count {
            section.refuse("prices", "contains a prefix twice. Name each once.")
        }
        if !rows.isEmpty, !prefixes.contains(Self.defaultRow) {
            section.refuse("prices", "has no row with prefix default; it is needed for all other numbers")
        }
        refuseChannelsWithoutSender(section)
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

extension SpendPolicy.Budget {
    static let keys: [Key<Self>] = [
        Key("hour", \.hour, .integer(1...SpendPolicy.amountMax), "", required: true, example: "200000"),
        Key("day", \.day, .integer(1...SpendPolicy.amountMax), "", required: true, example: "1000000"),
    ]
}

extension SpendPolicy.Row {
    static let keys: [Key<Self>] =
        [Key("prefix", \.prefix, .text(.priceRow), "", required: true, example: "default")]
        + SpendPolicy.channels.map { channel in
            Key(
                channel, \.prices[channel], .orNone(.integer(0...SpendPolicy.priceMax)),
                "The price of one message by this channel.")
        } + [
            Key("hour", \.hour, .orNone(.integer(1...SpendPolicy.amountMax)), "The row's own budget of an hour."),
            Key("day", \.day, .orNone(.integer(1...SpendPolicy.amountMax)), "The row's own budget of a day."),
        ]
}

extension Policy {
    /// Requires a price in each row for each channel that messages use.
    func requirePrices(_ root: PolicySection) {
        let channels = Set(messages.channels + messages.fallback).map(\.rawValue).sorted()
        for (index, row) in (spend?.rows ?? []).enumerated() {
            guard let channel = channels.first(where: { row.prices[$0] == nil }) else { continue }
            root.refuse("spend", item: ".prices[\(index)].\(channel)", "is missing: messages go out by \(channel)")
        }
    }
}

extension ValueRule where Value == String {
    fileprivate static var currency: TextRule {
        .ascii(3...3, of: "A-Z", "three capital letters of ISO 4217, such as USD")
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

/// The cost of a message, and the budgets of its row; amounts are in ten-thousandths of the currency's unit.
struct SpendCharge: Sendable, Equatable {
    /// The row of prices, by its prefix.
    let row: String
    /// The price; 0 if nothing is sent and only the row's figures are counted.
    let price: Int64
    /// The budget of the row; `nil` if it has none.
    let hourBudget: Int64?
    let dayBudget: Int64?
    /// The counters of the hour and of the day.
    let keys: [String]
    /// Whether nothing is sent. Only the part of the budgets for unrecognised clients is reduced, as if it were.
    var isSilent = false
}

/// An event of the budgets during a send, for logs and metrics. Each is reported once over all replicas.
enum SpendNews: Sendable, Equatable {
    /// A percentage of a budget is used. scope: `total` or a row; window: `hour` or `day`.
    case alarm(scope: String, window: String, percent: Int64)
    /// A message beyond the budget was sent, since the policy only observes.
    case observed

    /// Reads a script's words: `alarm <window> <percent> <scope>` or `observed`.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("observed", 1): self = .observed
        case ("alarm", 4):
            guard let percent = Int64(words[2]) else { return nil }
            self = .alarm(scope: words[3], window: words[1], percent: percent)
        default: return nil
        }
    }
}

/// The decision of `charge`.
enum TryVerdict: Sendable, Equatable {
    case charged([SpendNews])
    case limited(retryAfterSeconds: Int64, [SpendNews])
}

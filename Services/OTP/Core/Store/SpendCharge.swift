/// What a message would cost, and the budgets of its own that it falls under; amounts are in ten-thousandths of the currency's
/// unit.
struct SpendCharge: Sendable, Equatable {
    /// The row of prices, by its prefix.
    let row: String
    /// 0: nothing is sent, only the row's figures are kept.
    let price: Int64
    /// Of the row; nil: it has none.
    let hourBudget: Int64?
    let dayBudget: Int64?
    /// The counters of the hour and of the day.
    let keys: [String]
    /// Nothing goes out: only what strangers may use of the budgets becomes less, as if it did.
    var isSilent = false
}

/// What the budgets made of a send, for logs and metrics; each is told once over all replicas.
enum SpendNews: Sendable, Equatable {
    /// So many percent of a budget are used. scope: `total` or a row; window: `hour` or `day`.
    case alarm(scope: String, window: String, percent: Int64)
    /// A message that the budget did not hold went out, since the policy only observes.
    case observed

    /// From a script's words: `alarm <window> <percent> <scope>` or `observed`.
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

/// What `charge` decided.
enum TryVerdict: Sendable, Equatable {
    case charged([SpendNews])
    case limited(retryAfterSeconds: Int64, [SpendNews])
}

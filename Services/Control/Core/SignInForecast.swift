import Policies

/// How long the limits of a policy take to let many users sign in once by a code.
///
/// All users count as unrecognised clients in one country, as users do who were imported and have never signed in here.
struct SignInForecast: Equatable {
    /// The numbers of users that can be computed with.
    static let usersAllowed: ClosedRange<Int64> = 1...1_000_000_000

    /// A limit that all users share.
    struct Row: Equatable {
        let key: String
        /// The number of users that one window lets in.
        let most: Int64
        let windowSeconds: Int64
        /// The time within which the last user has a code.
        let seconds: Int64
        /// The value that lets all users in within an hour.
        let advice: String
    }

    let users: Int64
    /// The slowest limit is first.
    let rows: [Row]
    /// The limits of phone numbers that differ only in their last digits.
    let perPrefix: [RateLimit]

    init(of policy: Policy, users: Int64) {
        self.users = users
        var rows: [Row] = []
        if policy.sendsCodes {
            rows += Self.rows("otp.sendsPerCountry", policy.otp.sendsPerCountry, policy.otp, users)
            rows += Self.rows("otp.sendsInTotal", policy.otp.sendsInTotal, policy.otp, users)
            rows += policy.spend.map { Self.rows($0, users) } ?? []
        }
        if let email = policy.email {
            rows += Self.rows("email.sendsInTotal", email.codes.sendsInTotal, email.codes, users)
        }
        self.rows = rows.sorted { ($0.seconds, $1.key) > ($1.seconds, $0.key) }
        perPrefix = policy.sendsCodes ? policy.otp.sendsPerPrefix : []
    }

    /// The lines for the operator.
    var text: String {
        var lines = [
            "\(users) users who sign in once by a code, in one country and from networks that are new to them:"
        ]
        if rows.isEmpty { lines.append("no limit is shared by all users") } else { lines.append(TextTable.text(table)) }
        for limit in perPrefix {
            lines.append(
                "otp.sendsPerPrefix: \(limit.max) users in \(TimeText.span(limit.windowSeconds)) of those whose numbers differ "
                    + "only in the last \(OTPPolicy.prefixDropsDigits) digits")
        }
        return lines.joined(separator: "\n")
    }

    private var table: [[String]] {
        rows.map { row in
            [
                row.key, "\(row.most) in \(TimeText.span(row.windowSeconds))",
                "all within \(TimeText.span(row.seconds))",
                row.seconds > 3_600 ? row.advice : "",
            ]
        }
    }

    private static func rows(_ key: String, _ limits: [RateLimit], _ codes: OTPPolicy, _ users: Int64) -> [Row] {
        let needed = (users * 100).dividedUp(by: Int64(100 - codes.sendsForKnownPercent))
        return limits.map { limit in
            row(
                key, most: Int64(codes.unrecognisedPart(of: limit.max)), limit.windowSeconds, users,
                advice: "within an hour: max \(needed) in 1 h")
        }
    }

    /// Returns the rows of the budgets that enough messages of the dearest row use up.
    private static func rows(_ spend: SpendPolicy, _ users: Int64) -> [Row] {
        guard spend.mode == .enforce else { return [] }
        return spend.rows.compactMap { row -> [Row]? in
            guard let price = row.prices.values.max(), price > 0 else { return nil }
            let needed = (users * price * 100).dividedUp(by: spend.strangersPercent)
            let budgets = [
                ("hour", min(spend.budget.hour, row.hour ?? .max), Int64(3_600)),
                ("day", min(spend.budget.day, row.day ?? .max), Int64(86_400)),
            ]
            return budgets.map { name, budget, window in
                self.row(
                    "spend.budget.\(name), \(row.prefix)", most: max(1, spend.unrecognisedPart(of: budget) / price),
                    window,
                    users, advice: "within an hour: \(name) \(needed)")
            }
        }.max { $0.map(\.seconds).reduce(0, +) < $1.map(\.seconds).reduce(0, +) } ?? []
    }

    private static func row(
        _ key: String, most: Int64, _ windowSeconds: Int64, _ users: Int64, advice: String
    ) -> Row {
        Row(
            key: key, most: most, windowSeconds: windowSeconds,
            seconds: users.dividedUp(by: most) * windowSeconds, advice: advice)
    }
}

extension Int64 {
    /// The quotient, rounded up. Neither number may be negative, and `divisor` not 0.
    fileprivate func dividedUp(by divisor: Int64) -> Int64 {
        let (whole, rest) = quotientAndRemainder(dividingBy: divisor)
        return whole + (rest > 0 ? 1 : 0)
    }
}

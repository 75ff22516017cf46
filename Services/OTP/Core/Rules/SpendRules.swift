import PhoneNumbers
import Policies

/// Finds the price of a message and the counters in which it is counted: by hour of the clock and day in UTC, for every client.
struct SpendRules: Sendable {
    static let hourSeconds: Int64 = 3_600
    static let daySeconds: Int64 = 86_400

    let policy: SpendPolicy

    /// - Parameter now: Unix time in seconds.
    /// - Returns: `nil` for a channel that has no price.
    func charge(for phone: PhoneNumber, channel: String, now: Int64) -> SpendCharge? {
        guard let row = policy.row(for: phone), let price = row.prices[channel] else { return nil }
        return charge(row, price: price, now: now)
    }

    /// Returns the counters of an approval, which costs nothing.
    func approval(for phone: PhoneNumber, now: Int64) -> SpendCharge? {
        policy.row(for: phone).map { charge($0, price: 0, now: now) }
    }

    private func charge(_ row: SpendPolicy.Row, price: Int64, now: Int64) -> SpendCharge {
        SpendCharge(
            row: row.prefix, price: price, hourBudget: row.hour, dayBudget: row.day,
            keys: [RedisKeys.spent(hour: now / Self.hourSeconds), RedisKeys.spent(day: now / Self.daySeconds)])
    }
}

import PhoneNumbers
import Policies

/// Finds what a message costs and which counters it falls under: by hour of the clock and day in UTC, whoever asks.
struct SpendRules: Sendable {
    static let hourSeconds: Int64 = 3_600
    static let daySeconds: Int64 = 86_400

    let policy: SpendPolicy

    /// - Parameter now: Unix time in seconds.
    /// - Returns: nil for a channel that has no price.
    func charge(for phone: PhoneNumber, channel: String, now: Int64) -> SpendCharge? {
        guard let row = policy.row(for: phone), let price = row.prices[channel] else { return nil }
        return charge(row, price: price, now: now)
    }

    /// Where an approval is counted: it costs nothing.
    func approval(for phone: PhoneNumber, now: Int64) -> SpendCharge? {
        policy.row(for: phone).map { charge($0, price: 0, now: now) }
    }

    private func charge(_ row: SpendPolicy.Row, price: Int64, now: Int64) -> SpendCharge {
        SpendCharge(
            row: row.prefix, price: price, hourBudget: row.hour, dayBudget: row.day,
            keys: [RedisKeys.spent(hour: now / Self.hourSeconds), RedisKeys.spent(day: now / Self.daySeconds)])
    }
}

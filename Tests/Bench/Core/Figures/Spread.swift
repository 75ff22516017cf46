/// The middle and the ends of several rounds of one measurement.
package struct Spread: Sendable, Equatable {
    package let median: Double
    package let least: Double
    package let most: Double
    /// How many rounds there were.
    package let count: Int

    /// - Returns: nil for no round at all.
    package init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return nil }
        self.least = least
        self.most = most
        count = sorted.count
        let upper = sorted[sorted.count / 2]
        median = sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
    }

    /// How many times each value is the one of the same turn: what the machine became from turn to turn is in no ratio.
    ///
    /// - Returns: nil for no turn at all; turns whose divisor is not above zero do not count.
    package init?(_ values: [Double], over others: [Double]) {
        self.init(zip(values, others).filter { $0.1 > 0 }.map { $0.0 / $0.1 })
    }
}

/// Values below which a share of all lies.
package enum Percentile {
    /// The least value that at least `percent` per cent of `sorted` do not exceed (nearest rank).
    ///
    /// - Returns: nil for an empty list.
    package static func of(_ sorted: [Double], percent: Int) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let rank = (sorted.count * min(max(percent, 0), 100) + 99) / 100
        return sorted[max(rank, 1) - 1]
    }
}

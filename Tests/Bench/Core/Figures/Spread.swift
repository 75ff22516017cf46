/// The middle of several values, and how far they lie apart.
struct Spread: Sendable, Equatable {
    let median: Double
    /// The least value, or of pairs the lower quartile.
    let low: Double
    /// The greatest value, or of pairs the upper quartile.
    let high: Double
    let count: Int
    let isOfPairs: Bool

    /// The spread of rounds.
    ///
    /// - Returns: `nil` if there is no value.
    init?(_ values: [Double]) {
        self.init(values, low: 0, high: 1, isOfPairs: false)
    }

    /// The spread of the ratios or differences of pairs.
    init?(ofPairs values: [Double]) {
        self.init(values, low: 0.25, high: 0.75, isOfPairs: true)
    }

    private init?(_ values: [Double], low: Double, high: Double, isOfPairs: Bool) {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return nil }
        median = Self.quantile(0.5, of: sorted)
        self.low = Self.quantile(low, of: sorted)
        self.high = Self.quantile(high, of: sorted)
        count = sorted.count
        self.isOfPairs = isOfPairs
    }

    /// Between two values it lies on the line that joins them.
    private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}

/// Values below which a share of all lies.
enum Percentile {
    /// The least value that at least `percent` per cent of `sorted` do not exceed (nearest rank); 0 for an empty list.
    static func of(_ sorted: [Double], percent: Int) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = (sorted.count * min(max(percent, 0), 100) + 99) / 100
        return sorted[max(rank, 1) - 1]
    }
}

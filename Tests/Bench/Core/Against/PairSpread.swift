/// The quartiles of what one build was to another, pair by pair.
package struct PairSpread: Sendable, Equatable {
    package let lowerQuartile: Double
    package let median: Double
    package let upperQuartile: Double
    /// How many pairs there were.
    package let count: Int

    /// - Returns: nil for no pair at all.
    package init?(_ values: [Double]) {
        guard let lower = Self.quantile(0.25, of: values), let middle = Self.quantile(0.5, of: values),
            let upper = Self.quantile(0.75, of: values)
        else { return nil }
        lowerQuartile = lower
        median = middle
        upperQuartile = upper
        count = values.count
    }

    /// How many times `ours` each value is of the one beside it.
    ///
    /// - Returns: nil for no pair at all; a pair whose divisor is not above zero does not count.
    package init?(_ ours: [Double], over theirs: [Double]) {
        self.init(zip(ours, theirs).filter { $0.1 > 0 }.map { $0.0 / $0.1 })
    }

    /// By how much each of `ours` is above the one beside it.
    package init?(_ ours: [Double], less theirs: [Double]) {
        self.init(zip(ours, theirs).map { $0.0 - $0.1 })
    }

    /// Between two values it lies on the line that joins them.
    private static func quantile(_ share: Double, of values: [Double]) -> Double? {
        let sorted = values.sorted()
        guard let last = sorted.last else { return nil }
        let place = share * Double(sorted.count - 1)
        let below = Int(place.rounded(.down))
        guard below + 1 < sorted.count else { return last }
        return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
    }
}

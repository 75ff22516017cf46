/// One measured number: what is printed for people and written as one JSON line for comparisons.
package struct Figure: Sendable, Equatable {
    /// The bound of a figure.
    package enum Bound: Sendable, Equatable {
        case atMost(Double)
        case atLeast(Double)
    }

    package enum Unit: String, Sendable, Equatable, CaseIterable {
        case microseconds = "µs"
        case milliseconds = "ms"
        case seconds = "s"
        case perSecond = "1/s"
        case megabytes = "MB"
        case bytes = "B"
        case cores
        case count = ""
    }

    /// Dotted, from the command to the detail, e.g. `signin.cpu.gateway`; the same in every version.
    package let name: String
    /// The value; the median of several rounds.
    package let value: Double
    package let unit: Unit
    /// The rounds, when there were several.
    package let spread: Spread?
    /// The ratios of this build to another, pair by pair; a bound then applies to the lower quartile.
    package let pairs: PairSpread?
    package let bound: Bound?

    package init(_ name: String, _ value: Double, _ unit: Unit, bound: Bound? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.spread = nil
        self.pairs = nil
        self.bound = bound
    }

    package init(_ name: String, _ spread: Spread, _ unit: Unit, bound: Bound? = nil) {
        self.name = name
        self.value = spread.median
        self.unit = unit
        self.spread = spread
        self.pairs = nil
        self.bound = bound
    }

    package init(_ name: String, _ pairs: PairSpread, _ unit: Unit, bound: Bound? = nil) {
        self.name = name
        self.value = pairs.median
        self.unit = unit
        self.spread = nil
        self.pairs = pairs
        self.bound = bound
    }

    /// Whether the bound holds; a figure without one has nothing to miss.
    ///
    /// Whether the value is within its bound. For pairs the lower quartile counts, so that noise does not fail a run, and a
    /// real loss shows.
    package var meetsBound: Bool {
        let judged = pairs?.lowerQuartile ?? value
        return switch bound {
        case nil: true
        case .atMost(let limit): judged <= limit
        case .atLeast(let limit): judged >= limit
        }
    }
}

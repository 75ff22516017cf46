/// One measured number: what is printed for people and written as one JSON line for comparisons.
struct Figure: Sendable, Equatable {
    /// The bound of a figure.
    enum Bound: Sendable, Equatable {
        case atMost(Double)
        case atLeast(Double)
    }

    enum Unit: String, Sendable, Equatable, CaseIterable {
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
    var name: String
    /// The value; the median of several rounds.
    let value: Double
    let unit: Unit
    /// The rounds or pairs, when there were several.
    let spread: Spread?
    let bound: Bound?

    init(_ name: String, _ value: Double, _ unit: Unit, spread: Spread? = nil, bound: Bound? = nil) {
        (self.name, self.value, self.unit, self.spread, self.bound) = (name, value, unit, spread, bound)
    }

    init(_ name: String, _ spread: Spread, _ unit: Unit, bound: Bound? = nil) {
        self.init(name, spread.median, unit, spread: spread, bound: bound)
    }

    /// The figure of several rounds; its value is 0 if there is none.
    init(_ name: String, rounds values: [Double], _ unit: Unit, bound: Bound? = nil) {
        let spread = Spread(values)
        self.init(name, spread?.median ?? 0, unit, spread: spread, bound: bound)
    }

    /// Whether the value is within its bound, if it has one. Of pairs the lower quartile counts, so that noise does not fail
    /// a run, and a real loss shows.
    var meetsBound: Bool {
        let judged = spread.map { $0.isOfPairs ? $0.low : value } ?? value
        return switch bound {
        case nil: true
        case .atMost(let limit): judged <= limit
        case .atLeast(let limit): judged >= limit
        }
    }

    /// The time of others beside something, and in a quiet time: they may always wait `leastMilliseconds`, and three times as
    /// long as when it is quiet.
    static func others(
        _ name: String, quiet: Double, beside: Double, leastMilliseconds: Double = 20
    ) -> [Figure] {
        [
            Figure("\(name).quiet", quiet, .milliseconds),
            Figure(name, beside, .milliseconds, bound: .atMost(max(leastMilliseconds, 3 * quiet))),
        ]
    }

    /// The percentiles of milliseconds in any order: `p50`, `p99`.
    static func percentiles(_ milliseconds: [Double], _ percents: [Int] = [50, 99]) -> [Figure] {
        let sorted = milliseconds.sorted()
        return percents.map { Figure("p\($0)", Percentile.of(sorted, percent: $0), .milliseconds) }
    }
}

extension [Figure] {
    /// The figures with `prefix` and a dot before their names.
    func under(_ prefix: String) -> [Figure] {
        map { figure in
            var figure = figure
            figure.name = "\(prefix).\(figure.name)"
            return figure
        }
    }

    /// The value of this name, 0 if there is none.
    func value(_ name: String) -> Double { first { $0.name == name }?.value ?? 0 }
}

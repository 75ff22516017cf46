package import FoundationEssentials

/// A figure as one line of JSON, with where and when it was measured.
package struct FigureRecord: Codable, Sendable, Equatable {
    package var figure: String
    package var value: Double
    package var unit: String
    package var min: Double?
    package var max: Double?
    package var rounds: Int?
    /// The lower quartile of a comparison with another build, to which the bound applies.
    package var lowerQuartile: Double?
    package var upperQuartile: Double?
    package var pairs: Int?
    package var atMost: Double?
    package var atLeast: Double?
    /// Unix time in seconds at which the run began; the same for all figures of a run.
    package var run: Int64
    /// Processor and number of cores.
    package var machine: String

    package init(_ figure: Figure, run: Int64, machine: String) {
        self.figure = figure.name
        value = figure.value
        unit = figure.unit.rawValue
        min = figure.spread?.least
        max = figure.spread?.most
        rounds = figure.spread?.count
        lowerQuartile = figure.pairs?.lowerQuartile
        upperQuartile = figure.pairs?.upperQuartile
        pairs = figure.pairs?.count
        if case .atMost(let limit) = figure.bound { atMost = limit }
        if case .atLeast(let limit) = figure.bound { atLeast = limit }
        self.run = run
        self.machine = machine
    }

    /// The line, with its end; members in the order of the alphabet.
    package func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

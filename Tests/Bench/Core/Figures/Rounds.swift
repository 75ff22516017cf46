/// Several rounds of one measurement, each with a figure for each quantity.
enum Rounds {
    /// The figures of the first round, each with its values of all rounds.
    static func spread(_ rounds: [[Figure]]) -> [Figure] {
        (rounds.first ?? []).compactMap { first in
            Spread(values(first.name, rounds)).map { Figure(first.name, $0, first.unit, bound: first.bound) }
        }
    }

    static func values(_ name: String, _ rounds: [[Figure]]) -> [Double] {
        rounds.compactMap { round in round.first { $0.name == name }?.value }
    }
}

/// Rounds of this build or stack, each next to one of another's.
struct Pairs: Sendable {
    /// Fewer pairs tell noise from loss too badly.
    static let least = 8

    let ours: [[Figure]]
    let theirs: [[Figure]]

    /// Has both do `count` rounds in turn, after one of each that warms caches and connections up and does not count.
    ///
    /// The order alternates: if the machine slows down meanwhile, it does so for both. Both get the number of the round, 0
    /// for the one that does not count.
    static func run(
        _ count: Int, ours: (Int) async throws -> [Figure], theirs: (Int) async throws -> [Figure]
    ) async throws -> Pairs {
        var (ourRounds, theirRounds): ([[Figure]], [[Figure]]) = ([], [])
        for turn in 0...count {
            if turn.isMultiple(of: 2) { ourRounds.append(try await ours(turn)) }
            theirRounds.append(try await theirs(turn))
            if !turn.isMultiple(of: 2) { ourRounds.append(try await ours(turn)) }
        }
        return Pairs(ours: Array(ourRounds.dropFirst()), theirs: Array(theirRounds.dropFirst()))
    }

    /// How much worse ours are: a figure for each quantity that every round of both has.
    ///
    /// Times and CPU are compared as ratios, rates as the inverse, so that above 1 is always worse; memory as a difference,
    /// since what a change adds does not grow with what was there. A bound applies to the lower quartile.
    ///
    /// - Parameter bounds: for the ratio, or the difference in megabytes, by the names of the figures.
    func worse(_ bounds: [String: Double]) -> [Figure] {
        (ours.first ?? []).compactMap { figure in
            let (mine, other) = (Rounds.values(figure.name, ours), Rounds.values(figure.name, theirs))
            guard mine.count == ours.count, other.count == theirs.count, figure.unit != .cores else { return nil }
            let isMemory = figure.unit == .megabytes
            return Spread(ofPairs: Self.compared(figure.unit, mine, other)).map {
                Figure(
                    figure.name, $0, isMemory ? .megabytes : .count, bound: bounds[figure.name].map { .atMost($0) })
            }
        }
    }

    /// A pair whose divisor is not above zero does not count.
    static func compared(_ unit: Figure.Unit, _ ours: [Double], _ theirs: [Double]) -> [Double] {
        let pairs = zip(ours, theirs)
        return switch unit {
        case .megabytes: pairs.map { $0 - $1 }
        case .perSecond: pairs.filter { $0.0 > 0 }.map { $1 / $0 }
        default: pairs.filter { $0.1 > 0 }.map { $0 / $1 }
        }
    }
}

/// The rounds of this build or stack compared with another's: a figure for each quantity that both have measured.
///
/// Times and CPU are compared as ratios, rates as the inverse, so that above 1 is always worse; memory as a difference, since
/// what a change adds does not grow with what was there.
package struct Comparison: Sendable {
    /// At which a comparison counts as kept; by the names of the figures that are compared.
    package typealias Bounds = [String: Double]

    /// Fewer pairs tell noise from loss too badly.
    package static let pairsMin = 8

    private let pairs: Pairs<[Figure]>

    package init(_ pairs: Pairs<[Figure]>) { self.pairs = pairs }

    /// - Parameters:
    ///   - bounds: for the ratio, or for the difference in megabytes.
    ///   - prefix: what stands before the names of the figures that are compared.
    package func figures(_ bounds: Bounds, named prefix: String = "against") -> [Figure] {
        let names = (pairs.ours.first ?? []).map { ($0.name, $0.unit) }
        return names.compactMap { name, unit in
            guard let ours = Self.values(name, pairs.ours), let theirs = Self.values(name, pairs.theirs) else {
                return nil
            }
            return Self.spread(ours, theirs, unit).map {
                Figure(
                    "\(prefix).\(name)", $0, unit == .megabytes ? .megabytes : .count,
                    bound: bounds[name].map { .atMost($0) })
            }
        }
    }

    /// The quantity in every round; nil unless each has it.
    private static func values(_ name: String, _ rounds: [[Figure]]) -> [Double]? {
        let values = rounds.compactMap { $0.first { $0.name == name }?.value }
        return values.count == rounds.count ? values : nil
    }

    private static func spread(_ ours: [Double], _ theirs: [Double], _ unit: Figure.Unit) -> PairSpread? {
        switch unit {
        case .megabytes: PairSpread(ours, less: theirs)
        case .perSecond: PairSpread(theirs, over: ours)
        default: PairSpread(ours, over: theirs)
        }
    }
}

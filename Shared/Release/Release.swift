/// The release of this Latchkey; the version is stated only here.
package enum Release {
    /// `major.minor.patch`, with `-beta.1` and the like before it is final. `deploy/docs/changes.md` begins with this version and
    /// describes its changes for operators.
    package static let version = "1.0.0-beta.1"
    /// The oldest release whose databases this one upgrades.
    package static let oldestUpgraded = "1.0.0-beta.1"
}

/// The number of a release, ordered as releases follow each other: `1.0.0-beta.2` comes before `1.0.0`.
package struct ReleaseNumber: Comparable, Sendable {
    private let numbers: [Int]
    /// `beta` of `-beta.2`; `nil` if the release is final.
    private let stage: Substring?

    /// Reads a version; what is no number counts as 0.
    package init(_ version: some StringProtocol) {
        let version = Substring(version)
        let parts = version.split(separator: "-", maxSplits: 1)
        let stage = parts.dropFirst().first?.split(separator: ".") ?? []
        self.stage = stage.first
        numbers = (parts.first?.split(separator: ".") ?? []).map(Self.number) + stage.dropFirst().map(Self.number)
    }

    private static func number(_ text: Substring) -> Int { Int(text) ?? 0 }

    package static func < (one: Self, other: Self) -> Bool {
        let (own, others) = (one.numbers.prefix(3), other.numbers.prefix(3))
        guard own.elementsEqual(others) else { return own.lexicographicallyPrecedes(others) }
        switch (one.stage, other.stage) {
        case (nil, _): return false
        case (_, nil): return true
        case (let first?, let second?) where first != second: return first < second
        case (_?, _?): return one.numbers.lexicographicallyPrecedes(other.numbers)
        }
    }
}

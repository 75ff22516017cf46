import ArgumentParser
import BenchCore

/// The options of the commands that can compare another build with this one.
struct AgainstOptions: ParsableArguments {
    @Option(
        help: """
            Measure the processes in this folder too, in turn with ours, at least \(Comparison.pairsMin) times (--rounds), \
            and judge by how much ours are worse.
            """)
    var against: String?

    @Option(help: "What the lower quartile of the ratios may be, or of megabytes more; in place of the usual bounds.")
    var atMost: Double?

    /// The other build, how many pairs, and what the bounds are; nil when nothing is to be compared.
    func comparison(_ common: CommonOptions) throws -> AgainstRun? {
        guard let against else { return nil }
        let pairs = common.givenRounds ?? Comparison.pairsMin
        guard pairs >= Comparison.pairsMin else {
            throw ValidationError("--against needs at least \(Comparison.pairsMin) --rounds")
        }
        return AgainstRun(other: try Build(in: against), folder: against, pairs: pairs, atMost: atMost)
    }
}

/// A comparison that was asked for.
struct AgainstRun {
    let other: Build
    let folder: String
    let pairs: Int
    private let atMost: Double?

    init(other: Build, folder: String, pairs: Int, atMost: Double?) {
        self.other = other
        self.folder = folder
        self.pairs = pairs
        self.atMost = atMost
    }

    func bounds(_ usual: Comparison.Bounds) -> Comparison.Bounds { usual.mapValues { atMost ?? $0 } }

    /// Returns the title of the figures.
    func title(_ command: String) -> String { "\(command): this build against \(folder), \(pairs) pairs in turn" }
}

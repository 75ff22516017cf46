import ArgumentParser
import BenchCore

/// `dialects`
struct Dialects: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what a refresh costs through each dialect and by cookie, beside the native one.")

    @OptionGroup var common: CommonOptions

    @Option(help: "Refreshes in one round (1000 to 10,000,000).")
    var rotations = 30_000

    @Option(help: "Connections that refresh, each with sessions of its own (1 to 256).")
    var clients = 32

    @Option(
        help: "One of \(RefreshCall.others.map(\.name).joined(separator: ", ")); default all, one after the other.")
    var dialect: String?

    private var calls: [RefreshCall] { RefreshCall.others.filter { dialect == nil || $0.name == dialect } }
    private var pairs: Int { common.givenRounds ?? Comparison.pairsMin }

    func validate() throws {
        guard (1000...10_000_000).contains(rotations) else {
            throw ValidationError("--rotations must be 1000 to 10000000")
        }
        guard (1...256).contains(clients) else { throw ValidationError("--clients must be 1 to 256") }
        guard !calls.isEmpty else { throw ValidationError("--dialect \(dialect ?? "") is none that is compared") }
        guard pairs >= Comparison.pairsMin else {
            throw ValidationError("dialects needs at least \(Comparison.pairsMin) --rounds")
        }
    }

    func run() async throws {
        try await common.report { report in
            for call in calls {
                report.section(
                    "dialects: refreshes through \(call.name) and native over \(clients) connections, \(pairs) pairs in "
                        + "turn; CPU of one")
                let bench = DialectsBench(
                    of: call, pairs: pairs, rotationCount: rotations, connectionCount: clients)
                try report.add(try await bench.run())
            }
        }
    }
}

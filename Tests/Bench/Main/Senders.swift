import ArgumentParser
import BenchCore

/// `senders`
struct Senders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures a spend guard, Twilio Messaging, and providers that are slow or hang.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var signIns: SignInOptions

    @Option(
        help: ArgumentHelp(
            "Only this; again for another: \(SendersBench.Part.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "part"))
    var only: [SendersBench.Part] = []

    private var pairs: Int { common.givenRounds ?? Comparison.pairsMin }

    func validate() throws {
        guard pairs >= Comparison.pairsMin else {
            throw ValidationError("senders needs at least \(Comparison.pairsMin) --rounds")
        }
    }

    func run() async throws {
        let bench = SendersBench(signIns: signIns.bench, pairs: pairs)
        try await common.report { report in
            for part in only.isEmpty ? SendersBench.Part.allCases : only {
                report.section("senders: \(part.title)")
                try report.add(try await bench.run(part))
            }
        }
    }
}

extension SendersBench.Part: ExpressibleByArgument {}

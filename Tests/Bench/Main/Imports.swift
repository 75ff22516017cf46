import ArgumentParser
import BenchCore

/// `imports`
struct Imports: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures how others sign in while users are moved in, through a kill and a second run.")

    @OptionGroup var common: CommonOptions
    @Option(help: "Users that are moved in (100 to 10,000,000).")
    var users = 100_000
    @Option(name: .customLong("sign-ins-per-second"), help: "Of the others (1 to 1,000).")
    var signInsPerSecond = 50
    @Option(help: "Connections that they come over (1 to 64).")
    var connections = 8
    @Option(help: "Seconds of the quiet time before (1 to 600).")
    var seconds = 20

    func validate() throws {
        guard (100...10_000_000).contains(users), (1...1_000).contains(signInsPerSecond),
            (1...64).contains(connections), (1...600).contains(seconds)
        else {
            throw ValidationError(
                "--users must be 100 to 10,000,000, --sign-ins-per-second 1 to 1,000, --connections 1 to 64 and "
                    + "--seconds 1 to 600")
        }
    }

    func run() async throws {
        try await common.report { report in
            report.section("imports: \(users) users, in two runs, beside \(signInsPerSecond) sign-ins a second")
            try report.add(
                try await ImportBench(
                    userCount: users, signInsPerSecond: Double(signInsPerSecond), connectionCount: connections,
                    quietSeconds: Double(seconds)
                ).run())
        }
    }
}

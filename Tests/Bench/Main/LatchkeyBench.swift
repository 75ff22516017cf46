import AccessTokens
import ArgumentParser
import BenchCore

/// The command line of `deploy/bench`.
struct LatchkeyBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latchkey-bench", abstract: "Measures Latchkey on this machine.",
        subcommands: [
            All.self, Calibrate.self, Start.self, SignIn.self, Revocation.self, OTP.self, Tokens.self, Cap.self,
            Passwords.self, Imports.self,
            Dialects.self, Senders.self, Gateway.self, EdgeMemory.self, Attacks.self, Fuzz.self, Desync.self, Echo.self,
            Handshakes.self,
        ], defaultSubcommand: All.self)
}

extension LatchkeyBench {
    /// Runs the command that the arguments name, and exits with its status.
    static func start() async { await main() }
}

/// The options of all commands.
struct CommonOptions: ParsableArguments {
    @Option(help: "Append each figure as a JSON line to this file.")
    var json: String?

    @Flag(name: .customLong("no-bound"), help: "Only measure: a missed bound is printed and does not fail.")
    var withoutBound = false

    @Option(name: .customLong("rounds"), help: "Rounds of what is measured several times (1 to 100; default 5).")
    var givenRounds: Int?

    var rounds: Int { givenRounds ?? 5 }

    func validate() throws {
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds must be 1 to 100") }
    }

    /// Prints the machine, runs `body`, prints what was missed.
    ///
    /// - Throws: `ExitCode.failure` for a missed bound, unless only measuring was asked for.
    func report(_ body: (inout Report) async throws -> Void) async throws {
        var report = Report(file: json, run: Report.now(), machine: Machine.description)
        Report.say(Machine.description)
        try report.add([Figure("machine.load.before", Machine.loadAverage, .count)])
        try await body(&report)
        try report.add([Figure("machine.load.after", Machine.loadAverage, .count)])
        guard !report.missed.isEmpty else { return }
        report.section("MISSED")
        for figure in report.missed { Report.say(FigureText.line(figure)) }
        if !withoutBound { throw ExitCode.failure }
    }
}

/// How many sign-ins, over how many connections.
struct SignInOptions: ParsableArguments {
    @Option(name: .customLong("sign-ins"), help: "Different numbers that sign in (1 to 1,000,000).")
    var count = 40_000

    @Option(name: .customLong("warm-up"), help: "Sign-ins before, which do not count (0 to 100,000).")
    var warmUpCount = 2000

    @Option(help: "Keep-alive connections, each with one request at a time (1 to 256).")
    var connections = 32

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("--sign-ins must be 1 to 1000000") }
        guard (0...100_000).contains(warmUpCount) else { throw ValidationError("--warm-up must be 0 to 100000") }
        guard (1...256).contains(connections) else { throw ValidationError("--connections must be 1 to 256") }
    }

    var bench: SignInBench {
        SignInBench(count: count, warmUpCount: warmUpCount, connectionCount: connections)
    }
}

/// How many logouts, beside how much other traffic.
struct RevocationOptions: ParsableArguments {
    @Option(name: .customLong("logouts"), help: "Sessions that are ended (1 to 100,000).")
    var count = 1000

    @Option(name: .customLong("other"), help: "Requests per second with live tokens (1 to 100,000).")
    var otherPerSecond = 2000

    @Option(help: "Sessions that are ended at the same time (1 to 16).")
    var lanes = 2

    func validate() throws {
        guard (1...100_000).contains(count) else { throw ValidationError("--logouts must be 1 to 100000") }
        guard (1...100_000).contains(otherPerSecond) else { throw ValidationError("--other must be 1 to 100000") }
        guard (1...16).contains(lanes) else { throw ValidationError("--lanes must be 1 to 16") }
    }

    var bench: RevocationBench {
        RevocationBench(count: count, otherPerSecond: otherPerSecond, laneCount: lanes)
    }
}

/// How fast and how long refused requests come.
struct FloodOptions: ParsableArguments {
    @Option(name: .customLong("flood"), help: "Refused requests in a second (1 to 100,000).")
    var perSecond = 500

    @Option(name: .customLong("flood-seconds"), help: "How long (1 to 600).")
    var seconds = 10

    func validate() throws {
        guard (1...100_000).contains(perSecond) else { throw ValidationError("--flood must be 1 to 100000") }
        guard (1...600).contains(seconds) else { throw ValidationError("--flood-seconds must be 1 to 600") }
    }

    func bench(_ signIns: SignInOptions) -> OTPBench {
        OTPBench(
            count: signIns.count, warmUpCount: signIns.warmUpCount, connectionCount: signIns.connections,
            floodPerSecond: Double(perSecond), floodSeconds: Double(seconds))
    }
}

/// How many refreshes, over how many connections, of how many sessions.
struct RefreshOptions: ParsableArguments {
    @Option(help: "Refreshes in one round (1000 to 10,000,000).")
    var rotations = 30_000

    @Option(help: "Connections that refresh, each with sessions of its own (1 to 256).")
    var clients = 32

    @Option(help: "Sessions in the file of the second stack (10,000 to 10,000,000; 0 leaves it out).")
    var sessions = 1_000_000

    @Option(help: "Of the access tokens: RS256, ES256, EdDSA, HS256; again for another (default HS256 and RS256).")
    var algorithm: [SignatureAlgorithm] = []

    func validate() throws {
        guard (1000...10_000_000).contains(rotations) else {
            throw ValidationError("--rotations must be 1000 to 10000000")
        }
        guard (1...256).contains(clients) else { throw ValidationError("--clients must be 1 to 256") }
        guard sessions == 0 || (10_000...10_000_000).contains(sessions) else {
            throw ValidationError("--sessions must be 0 or 10000 to 10000000")
        }
    }

    func benches(rounds: Int) -> [TokensBench] {
        (algorithm.isEmpty ? [.HS256, .RS256] : algorithm).map {
            TokensBench(
                algorithm: $0, rounds: rounds, rotationCount: rotations, connectionCount: clients, manyCount: sessions)
        }
    }
}

extension SignatureAlgorithm: ExpressibleByArgument {}

extension SignInWay: ExpressibleByArgument {}

/// Where a measured stack keeps its data.
enum Engine: String, ExpressibleByArgument { case sqlite, postgres }

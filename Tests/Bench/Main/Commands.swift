import AccessTokens
import ArgumentParser
import BenchCore
import FoundationEssentials

/// Everything, one after the other.
struct All: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs calibrate, start, signin, revocation, otp and tokens; what deploy/bench does without a command."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var signIns: SignInOptions
    @OptionGroup var logouts: RevocationOptions
    @OptionGroup var flood: FloodOptions
    @OptionGroup var refreshes: RefreshOptions

    func run() async throws {
        try await common.report { report in
            try await Calibrate.measure(rounds: common.rounds, &report)
            try await Start.measure(rounds: common.rounds, &report)
            try await SignIn.measure(signIns.bench, &report)
            try await Revocation.measure(logouts.bench, rounds: common.rounds, &report)
            try await OTP.measure(flood.bench(signIns), &report)
            try await Tokens.measure(refreshes, rounds: common.rounds, &report)
        }
    }
}

/// `calibrate`
struct Calibrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what signatures, an HTTP request and a durable commit cost this machine.")

    @OptionGroup var common: CommonOptions

    func run() async throws { try await common.report { try await Self.measure(rounds: common.rounds, &$0) } }

    static func measure(rounds: Int, _ report: inout Report) async throws {
        report.section("calibrate: CPU of one operation")
        try report.add(try Calibration.signatures(rounds: rounds))
        let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        try report.add(try await Calibration.echoes(rounds: rounds, executable: itself))
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        try report.add(try await Calibration.commits(rounds: rounds, in: folder))
    }
}

/// `start`
struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures how long each process takes to be ready, and its memory at rest.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var others: AgainstOptions

    func run() async throws {
        let comparison = try others.comparison(common)
        try await common.report { report in
            guard let comparison else { return try await Self.measure(rounds: common.rounds, &report) }
            report.section(comparison.title("start"))
            try report.add(
                try await StartBench.run(
                    against: comparison.other, pairs: comparison.pairs, comparison.bounds(StartBench.againstBounds)))
        }
    }

    static func measure(rounds: Int, _ report: inout Report) async throws {
        report.section("start: each process until it is ready, and its memory at rest")
        try report.add(try await StackUnderLoad.run { try await StartBench(rounds: rounds).run(on: $0) })
    }
}

/// `signin`
struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signin", abstract: "Measures what one sign-in costs: request and verify through the gateway.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var signIns: SignInOptions
    @OptionGroup var others: AgainstOptions

    @Option(help: "phone; or email or apple: compared with sign-ins by phone, in turn.")
    var by = SignInWay.phone

    @Option(help: "sqlite; or postgres: compared with SQLite, in turn.")
    var engine = Engine.sqlite

    func run() async throws {
        let comparison = try others.comparison(common)
        try await common.report { report in
            if engine == .postgres {
                let pairs = common.givenRounds ?? Comparison.pairsMin
                report.section("signin: on PostgreSQL against SQLite, \(pairs) pairs in turn")
                return try report.add(try await signIns.bench.runOnPostgreSQL(pairs: pairs))
            }
            if by != .phone {
                let pairs = common.givenRounds ?? Comparison.pairsMin
                report.section("signin: by \(by.rawValue) against by phone, \(pairs) pairs in turn")
                return try report.add(try await signIns.bench.run(by: by, pairs: pairs))
            }
            guard let comparison else { return try await Self.measure(signIns.bench, &report) }
            report.section(comparison.title("signin"))
            try report.add(
                try await signIns.bench.run(
                    against: comparison.other, pairs: comparison.pairs, comparison.bounds(SignInBench.againstBounds)))
        }
    }

    static func measure(_ bench: SignInBench, _ report: inout Report) async throws {
        report.section("signin: \(bench.count) sign-ins over \(bench.connectionCount) connections; CPU of one")
        try report.add(
            try await StackUnderLoad.run { stack in
                let figures = try await bench.run(on: stack)
                return figures + (try StartBench.memory(of: stack.stack, "signin", bound: nil))
            })
    }
}

/// `revocation`
struct Revocation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures how long a revoked token is still accepted, and what the list of revocations costs.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var logouts: RevocationOptions

    func run() async throws {
        try await common.report { try await Self.measure(logouts.bench, rounds: common.rounds, &$0) }
    }

    static func measure(_ bench: RevocationBench, rounds: Int, _ report: inout Report) async throws {
        report.section("revocation: a gateway's copy with \(ReplicaCost.entryCount) live revocations")
        try report.add(try ReplicaCost.measure(rounds: rounds))
        report.section(
            "revocation: \(bench.count) logouts beside \(bench.otherPerSecond) requests a second, two gateways")
        try report.add(try await StackUnderLoad.run { try await bench.run(on: $0) })
    }
}

/// `otp`
struct OTP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Measures what one-time codes stand: sign-ins, a flood of refusals, a full Redis."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var signIns: SignInOptions
    @OptionGroup var flood: FloodOptions

    func run() async throws { try await common.report { try await Self.measure(flood.bench(signIns), &$0) } }

    static func measure(_ bench: OTPBench, _ report: inout Report) async throws {
        report.section("otp: sign-ins in a second, and others during a flood of refused requests")
        try report.add(try await StackUnderLoad.run { try await bench.load($0) })
        report.section("otp: a million numbers in 128 MB of Redis, and sign-outs when it is full")
        try report.add(try await OTPBench.memory())
    }
}

/// `cap`
struct Cap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures how others fare while one user signs in without end, and while all of his sessions end.")

    @OptionGroup var common: CommonOptions
    @Option(help: "Sign-ins of the one user (1 to 1,000,000).")
    var signIns = 10_000
    @Option(help: "Connections of the others, and as many of the one (1 to 64).")
    var connections = 4
    @Option(help: "Sessions that the policy lets a user have (1 to 1,000).")
    var sessionsMax = 100

    func validate() throws {
        guard (1...1_000_000).contains(signIns), (1...64).contains(connections), (1...1000).contains(sessionsMax) else {
            throw ValidationError("--sign-ins must be 1 to 1,000,000, --connections 1 to 64, --sessions-max 1 to 1,000")
        }
    }

    func run() async throws {
        try await common.report { report in
            report.section("cap: \(signIns) sign-ins of one user, and the end of all of his sessions")
            try report.add(
                try await CapBench(signInCount: signIns, connectionCount: connections, sessionsMax: sessionsMax).run())
        }
    }
}

/// `passwords`
struct Passwords: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what a login costs beside its hash, and how others fare while hundreds log in at once.")

    @OptionGroup var common: CommonOptions
    @Option(help: "Logins that are counted (1 to 100,000).")
    var logins = 2_000
    @Option(help: "Connections that they come over (1 to 64).")
    var connections = 4

    func validate() throws {
        guard (1...100_000).contains(logins), (1...64).contains(connections) else {
            throw ValidationError("--logins must be 1 to 100,000, --connections 1 to 64")
        }
    }

    func run() async throws {
        try await common.report { report in
            report.section("passwords: \(logins) logins over \(connections) connections; CPU of one")
            try report.add(try await PasswordBench(loginCount: logins, connectionCount: connections).run())
        }
    }
}

/// `tokens`
struct Tokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what a refresh costs through the gateway, durable, with a thousand and a million sessions.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var refreshes: RefreshOptions
    @OptionGroup var others: AgainstOptions

    @Option(help: "sqlite; or postgres: compared with SQLite, in turn, and many sessions with few.")
    var engine = Engine.sqlite

    func run() async throws {
        let comparison = try others.comparison(common)
        try await common.report { report in
            if engine == .postgres {
                for bench in refreshes.benches(rounds: common.givenRounds ?? Comparison.pairsMin) {
                    report.section(
                        "tokens: refreshes on PostgreSQL against SQLite over \(bench.connectionCount) connections, access "
                            + "tokens with \(bench.algorithm.rawValue); CPU of one")
                    try await bench.runOnPostgreSQL { try report.add($0) }
                }
                return
            }
            guard let comparison else {
                return try await Self.measure(refreshes, rounds: common.rounds, &report)
            }
            report.section(comparison.title("tokens"))
            for bench in refreshes.benches(rounds: comparison.pairs) {
                try report.add(
                    try await bench.run(against: comparison.other, comparison.bounds(bench.againstBounds)))
            }
        }
    }

    static func measure(_ options: RefreshOptions, rounds: Int, _ report: inout Report) async throws {
        for bench in options.benches(rounds: rounds) {
            report.section(
                "tokens: refreshes over \(bench.connectionCount) connections, access tokens with "
                    + "\(bench.algorithm.rawValue); CPU of one")
            try await bench.run { try report.add($0) }
        }
    }
}

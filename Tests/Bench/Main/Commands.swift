internal import ArgumentParser
internal import BenchCore
internal import FoundationEssentials

/// Everything, one after the other.
struct All: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs calibrate, start, signin, revocation and otp; what deploy/bench does without a command.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var signIns: SignInOptions
    @OptionGroup var logouts: RevocationOptions
    @OptionGroup var flood: FloodOptions

    func run() async throws {
        try await common.report { report in
            try await Calibrate.measure(rounds: common.rounds, &report)
            try await Start.measure(rounds: common.rounds, &report)
            try await SignIn.measure(signIns.bench, &report)
            try await Revocation.measure(logouts.bench, rounds: common.rounds, &report)
            try await OTP.measure(flood.bench(signIns), &report)
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

    func run() async throws { try await common.report { try await Self.measure(rounds: common.rounds, &$0) } }

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

    func run() async throws { try await common.report { try await Self.measure(signIns.bench, &$0) } }

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
        report.section("otp: a million numbers in 64 MB of Redis, and sign-outs when it is full")
        try report.add(try await OTPBench.memory())
    }
}

/// The server that `calibrate` runs in a process of its own.
struct Echo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "echo-server", shouldDisplay: false)

    @Argument var server: EchoServer

    func run() async throws { try await server.run { Report.say("\($0)") } }
}

extension EchoServer: ExpressibleByArgument {}

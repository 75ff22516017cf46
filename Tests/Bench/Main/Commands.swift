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

/// `gateway`
struct Gateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what a request with a token costs the gateway, beside HAProxy and Envoy.")

    @OptionGroup var common: CommonOptions

    @Option(help: "Seconds of one edge in one round (1 to 60).")
    var seconds = 5

    @Option(help: "Different tokens that come in turn (1 to 100,000).")
    var tokens = 1000

    @Option(name: .customLong("once"), help: "Tokens of which each comes once, a round (0 or 1,000 to 100,000).")
    var onceCount = 20_000

    @Flag(
        name: .customLong("tls"),
        help: "Over TLS 1.3; full handshakes and resting connections too, and no tokens that come once.")
    var isOverTLS = false

    @Flag(name: .customLong("by-cookie"), help: "Only compare tokens in a cookie with tokens in Authorization.")
    var isByCookie = false

    @Option(help: "Connections that rest over TLS (1 to 10,000).")
    var connections = 10_000

    func validate() throws {
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds must be 1 to 60") }
        guard (1...100_000).contains(tokens) else { throw ValidationError("--tokens must be 1 to 100000") }
        guard onceCount == 0 || (1000...100_000).contains(onceCount) else {
            throw ValidationError("--once must be 0 or 1000 to 100000")
        }
        guard (1...10_000).contains(connections) else { throw ValidationError("--connections must be 1 to 10000") }
        guard !isOverTLS || others.against == nil else { throw ValidationError("--tls measures no other build") }
        guard !isByCookie || (others.against == nil && !isOverTLS) else {
            throw ValidationError("--by-cookie goes with neither --against nor --tls")
        }
    }

    @OptionGroup var others: AgainstOptions

    func run() async throws {
        if isOverTLS { return try await measureOverTLS() }
        let comparison = try others.comparison(common)
        let rounds = comparison?.pairs ?? (isByCookie ? common.givenRounds ?? Comparison.pairsMin : common.rounds)
        let bench = GatewayBench(rounds: rounds, seconds: seconds, tokenCount: tokens, onceCount: onceCount)
        try await common.report { report in
            if isByCookie {
                report.section("gateway: tokens in a cookie against tokens in Authorization, \(rounds) pairs in turn")
                return try report.add(try await bench.runByCookie())
            }
            if let comparison {
                report.section(comparison.title("gateway"))
                let bounds = comparison.bounds(GatewayBench.againstBounds)
                return try report.add(try await bench.run(against: comparison.other, bounds))
            }
            report.section("gateway: CPU of one request, with \(tokens) tokens in turn and \(onceCount) once each")
            try await bench.run { try report.add($0) }
        }
    }

    private func measureOverTLS() async throws {
        let bench = GatewayBench(
            rounds: common.rounds, seconds: seconds, tokenCount: tokens, tlsRestingCount: connections)
        try await common.report { report in
            report.section(
                "gateway: over TLS 1.3, CPU of one request with \(tokens) tokens in turn and of one handshake, "
                    + "\(connections) resting connections")
            try await bench.run { try report.add($0) }
        }
    }
}

/// `edge-memory`
struct EdgeMemory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the gateway's memory: streams, resting connections, millions of requests.")

    @OptionGroup var common: CommonOptions

    @Option(help: "Connections that rest (1 to 15,000).")
    var connections = 10_000

    @Option(help: "Requests over which nothing may grow (0 leaves that out, else 1,000,000 to 1,000,000,000).")
    var requests = 10_000_000

    func validate() throws {
        guard (1...15_000).contains(connections) else { throw ValidationError("--connections must be 1 to 15000") }
        guard requests == 0 || (1_000_000...1_000_000_000).contains(requests) else {
            throw ValidationError("--requests must be 0 or 1000000 to 1000000000")
        }
    }

    @OptionGroup var others: AgainstOptions

    func run() async throws {
        let comparison = try others.comparison(common)
        let bench = EdgeMemoryBench(connectionCount: connections, requestCount: requests)
        try await common.report { report in
            if let comparison {
                report.section(comparison.title("edge-memory"))
                return try report.add(try await bench.run(against: comparison.other, pairs: comparison.pairs))
            }
            report.section("edge-memory: \(connections) resting connections, \(requests) requests")
            try await bench.run { try report.add($0) }
        }
    }
}

/// `attacks`
struct Attacks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what hostile clients make the gateway hold, and how others fare meanwhile.")

    @OptionGroup var common: CommonOptions

    @Option(help: "Seconds of one attack, besides opening its connections (5 to 600).")
    var seconds = 15

    @Option(
        help: ArgumentHelp(
            "Only this one; again for another: \(AttackBench.names(isOverTLS: false).joined(separator: ", ")).",
            discussion: "With --tls: \(AttackBench.names(isOverTLS: true).joined(separator: ", ")).",
            valueName: "attack"))
    var only: [String] = []

    @Flag(name: .customLong("no-peers"), help: "Without HAProxy and nginx.")
    var withoutPeers = false

    @Option(help: "Attack the gateway of the build in this folder as well; it is not judged.")
    var beside: String?

    @Flag(name: .customLong("tls"), help: "Over TLS 1.3, and handshakes themselves; without slowhttptest's.")
    var isOverTLS = false

    func validate() throws {
        guard (5...600).contains(seconds) else { throw ValidationError("--seconds must be 5 to 600") }
        for name in only where !AttackBench.names(isOverTLS: isOverTLS).contains(name) {
            throw ValidationError("there is no attack \(name)")
        }
    }

    func run() async throws {
        let bench = AttackBench(
            seconds: seconds, only: only, hasPeers: !withoutPeers, beside: try beside.map { try Build(in: $0) },
            isOverTLS: isOverTLS)
        try await common.report { report in
            let way = isOverTLS ? " over TLS 1.3" : ""
            report.section("attacks: a gateway with \(AttackBench.givenMegabytes) MB\(way)")
            try await bench.run { try report.add($0) }
        }
    }
}

/// `fuzz`
struct Fuzz: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends crowds of clients that behave as a seed says, and looks for one that costs too much.")

    private static let secondsPerRound = 8

    @OptionGroup var common: CommonOptions

    @Option(help: "How long, about (1 to 1440).")
    var minutes = 30

    @Option(help: "Of the first round; each later one has the next (default random).")
    var seed: UInt64?

    func validate() throws {
        guard (1...1440).contains(minutes) else { throw ValidationError("--minutes must be 1 to 1440") }
    }

    func run() async throws {
        // Opening a crowd's connections takes a few seconds more.
        let rounds = common.givenRounds ?? minutes * 60 / (Self.secondsPerRound + 2)
        let fuzz = ClientFuzz(
            seed: seed ?? UInt64.random(in: 0..<1_000_000_000), rounds: rounds, seconds: Self.secondsPerRound)
        try await common.report { report in
            report.section("fuzz: \(rounds) crowds from seed \(fuzz.seed) on")
            let outcome = try await fuzz.run { Report.say("  \($0)") }
            if !outcome.findings.isEmpty { report.section("fuzz: findings") }
            for finding in outcome.findings { Report.say("  \(finding)") }
            try report.add(outcome.figures)
        }
    }
}

/// `desync`
struct Desync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts answers that reach the wrong request when an upstream sends more than it was asked for.")

    @OptionGroup var common: CommonOptions

    @Option(help: "Of each number of clients (5 to 3600).")
    var seconds = 120

    func validate() throws {
        guard (5...3600).contains(seconds) else { throw ValidationError("--seconds must be 5 to 3600") }
    }

    func run() async throws {
        try await common.report { report in
            report.section("desync: \(seconds) s of clients before an upstream that answers 204 twice")
            try await DesyncBench(seconds: seconds).run { try report.add($0) }
        }
    }
}

/// The server that `calibrate` runs in a process of its own.
struct Echo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "echo-server", shouldDisplay: false)

    @Argument var server: EchoServer

    func run() async throws { try await server.run { Report.say("\($0)") } }
}

extension EchoServer: ExpressibleByArgument {}

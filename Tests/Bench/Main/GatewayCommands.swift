import ArgumentParser
import BenchCore
import FoundationEssentials

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

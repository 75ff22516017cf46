import AccessTokens
import TestSupport

/// The cost of a proxied request with an RS256 token at the gateway, and at HAProxy and Envoy in the same minutes.
///
/// Each edge has a core to itself, alone in its turn; nginx and wrk share the other one. First a number of tokens comes again
/// and again, then more tokens come once each. Over TLS no token comes once; full handshakes and idle connections come
/// instead.
struct GatewayBench: Sendable {
    static let edgeCore = 0
    private static let warmUpSeconds = 1
    /// How long a round of tokens that come once may take.
    private static let onceSecondsMax = 5
    static let turn = "turn"
    static let againstBounds = ["cpu": 1.05, "rate": 1.05, "once.cpu": 1.05]
    private static let cookieRatioMax = 1.05
    static let bounds: [String: [String: Figure.Bound]] = [
        "cpu": ["haproxy": .atMost(0.60), "envoy": .atMost(0.50)], "rate": ["haproxy": .atLeast(1.4)],
        "p99": ["haproxy": .atMost(1.0)],
    ]
    private static let onceBounds: [String: [String: Figure.Bound]] = ["once.cpu": ["haproxy": .atMost(1.1)]]
    /// wrk pays for TLS as well, and sets the pace.
    private static let tlsBounds: [String: [String: Figure.Bound]] = [
        "cpu": ["haproxy": .atMost(0.80), "envoy": .atMost(0.70)]
    ]
    /// Enough for as many connections over TLS as the policy allows plain ones.
    private static let roomyMegabytes = 2048

    let rounds: Int
    /// The duration of one edge's load in one round.
    let seconds: Int
    /// Tokens that come in turn.
    let tokenCount: Int
    /// Tokens that come once, in each round others.
    let onceCount: Int

    /// - Parameters:
    ///   - tlsIdleCount: idle connections over TLS; nil for plain HTTP.
    ///   - isOverHTTP2: only requests over HTTP/2.
    ///   - add: gets the figures of one part after the other.
    /// - Throws: `UnexpectedReply` on a machine with one core; what an edge that is not alike throws.
    func run(tlsIdleCount: Int? = nil, isOverHTTP2: Bool = false, _ add: ([Figure]) throws -> Void) async throws {
        try checkCores()
        let isOverTLS = isOverHTTP2 || tlsIdleCount != nil
        try await GatewayUnderLoad.run("bench-gateway", core: Self.edgeCore, isOverTLS: isOverTLS) { _ in
            isOverTLS ? ["LATCHKEY_MEMORY_MB": "\(Self.roomyMegabytes)"] : [:]
        } _: { gateway in
            let load = TokenLoad(folder: gateway.folder, isOverTLS: isOverTLS)
            try await withPeers(gateway) { peers in
                let edges = [gateway.edge] + peers
                // First: signing takes longer than the gateway keeps an idle connection of ours.
                for edge in edges { try await edge.check(gateway.tokens) }
                if isOverHTTP2 {
                    let bench = HTTP2Bench(rounds: rounds, seconds: seconds, folder: gateway.folder)
                    let token = try gateway.tokens.token(of: "http2")
                    return try add(try await bench.run(edges, token).under("gateway.h2"))
                }
                try await prepare(gateway.tokens, load)
                guard let certificate = gateway.certificate, let tlsIdleCount else {
                    return try add(try await measure(edges, load, Self.bounds).under("gateway"))
                }
                try await AgreedTLS.check(edges, trusting: certificate.authority, in: gateway.folder)
                try add(try await measure(edges, load, Self.tlsBounds).under("gateway.tls"))
                let bench = HandshakeBench(rounds: rounds, seconds: seconds, folder: gateway.folder)
                try add(try await bench.handshakes(edges).under("gateway.tls"))
                let token = try gateway.tokens.token(of: "idle")
                try add(try await bench.idle(tlsIdleCount, edges, token).under("gateway.tls"))
            }
        }
    }

    private func checkCores() throws {
        guard Machine.coreCount >= 2 else {
            throw UnexpectedReply(description: "one core is for the edge, one for the load")
        }
    }

    private func prepare(_ tokens: TokenSource, _ load: TokenLoad) async throws {
        try load.write(try await tokens.tokens(tokenCount, series: Self.turn), as: Self.turn)
        guard onceCount > 0 else { return }
        for round in 1...rounds {
            try load.write(try await tokens.tokens(onceCount, series: "once-\(round)"), as: "once-\(round)")
        }
    }

    private func withPeers(_ gateway: GatewayUnderLoad, _ body: ([EdgeUnderTest]) async throws -> Void) async throws {
        let haproxy = try HAProxyPeer.process(as: gateway, at: try await FreePort.find(), core: Self.edgeCore)
        let envoy = try EnvoyPeer.process(as: gateway, at: try await FreePort.find(), core: Self.edgeCore)
        let tls = gateway.certificate?.client
        try await haproxy.run { process in
            let haproxy = EdgeUnderTest(name: "haproxy", port: haproxy.port, tls: tls, process: process)
            guard let envoy else {
                Report.say("  *** ENVOY IS NOT THERE: nothing is compared with it, and its bound is missed ***")
                return try await body([haproxy])
            }
            try await envoy.run { process in
                try await body([haproxy, EdgeUnderTest(name: "envoy", port: envoy.port, tls: tls, process: process)])
            }
        }
    }

    private func measure(
        _ edges: [EdgeUnderTest], _ load: TokenLoad, _ bounds: [String: [String: Figure.Bound]]
    ) async throws -> [Figure] {
        for edge in edges {
            _ = try await load.run(Self.turn, .inTurn, port: edge.port, seconds: Self.warmUpSeconds).withoutFailures()
        }
        let (busyBefore, start) = (Machine.busySeconds, ContinuousClock.now)
        var (inTurn, once) = (EdgeRounds(), EdgeRounds())
        for _ in 0..<rounds {
            for edge in edges { inTurn.add(try await sample(edge, load), of: edge.name) }
        }
        // A cache has nothing to say about tokens that come once, so Envoy has no part.
        for round in 1...rounds where onceCount > 0 {
            for edge in edges where edge.name != "envoy" {
                once.add([try await onceCost(edge, load, round)], of: edge.name)
            }
        }
        let wall = (ContinuousClock.now - start) / .seconds(1)
        return inTurn.figures(bounds) + once.figures(Self.onceBounds) + [
            inTurn.peerCount, Figure("busy", (Machine.busySeconds - busyBefore) / wall, .cores),
        ]
    }

    private func onceCost(_ edge: EdgeUnderTest, _ load: TokenLoad, _ round: Int) async throws -> Figure {
        let figures = try await sample(edge, load, "once-\(round)", .once)
        return Figure("once.cpu", figures.value("cpu"), .microseconds)
    }

    /// One round of an edge.
    func sample(
        _ edge: EdgeUnderTest, _ load: TokenLoad, _ tokens: String = turn, _ order: TokenLoad.Order = .inTurn,
        in place: TokenLoad.Place = .header
    ) async throws -> [Figure] {
        let before = try ProcessTimes(of: edge.process)
        let outcome = try await load.run(
            tokens, order, in: place, port: edge.port, seconds: order == .once ? Self.onceSecondsMax : seconds
        ).withoutFailures()
        let used = try ProcessTimes(of: edge.process).seconds - before.seconds
        return [
            Figure("cpu", used * 1_000_000 / Double(outcome.requestCount), .microseconds),
            Figure("rate", Double(outcome.requestCount) / outcome.seconds, .perSecond),
            Figure("p99", outcome.p99Milliseconds, .milliseconds),
        ]
    }

    // MARK: - In pairs

    /// Measures the cost of a request at this build's gateway relative to another's: each with its own stack, nginx and
    /// tokens, on the same core, in turn.
    func run(against other: Build, _ bounds: [String: Double]) async throws -> [Figure] {
        try await side(of: .own) { ours in
            try await side(of: other) { theirs in
                try await Pairs.run(rounds, ours: ours, theirs: theirs).worse(bounds).under("against.gateway")
            }
        }
    }

    /// Measures the cost of a request whose token is in a cookie relative to one with the same token in `Authorization`: at one
    /// gateway, in turn.
    func runByCookie() async throws -> [Figure] {
        try await prepared { folder in
            try RefreshPolicy(.RS256, speaking: .cookies, in: folder).environment
        } _: { edge, load in
            try await Pairs.run(rounds) { _ in
                try await sample(edge, load, in: .cookie)
            } theirs: { _ in
                try await sample(edge, load)
            }
            .worse(["cpu": Self.cookieRatioMax]).under("gateway.cookie.ratio")
        }
    }

    /// Runs `body` with what does one round of a build.
    private func side<Value: Sendable>(
        of build: Build, _ body: ((Int) async throws -> [Figure]) async throws -> Value
    ) async throws -> Value {
        try await prepared(build) { _ in
            [:]
        } _: { edge, load in
            try await body { turn in
                let figures = try await sample(edge, load)
                // Tokens that come once have no round to warm up, which would use them up.
                return onceCount > 0 && turn > 0 ? figures + [try await onceCost(edge, load, turn)] : figures
            }
        }
    }

    /// Runs `body` with a gateway and tokens for it.
    func prepared<Value: Sendable>(
        _ build: Build = .own, settings: (String) throws -> [String: String],
        _ body: (EdgeUnderTest, TokenLoad) async throws -> Value
    ) async throws -> Value {
        try checkCores()
        return try await GatewayUnderLoad.run("bench-gateway", build: build, core: Self.edgeCore, settings: settings) {
            let load = TokenLoad(folder: $0.folder)
            try await $0.edge.check($0.tokens)
            try await prepare($0.tokens, load)
            return try await body($0.edge, load)
        }
    }
}

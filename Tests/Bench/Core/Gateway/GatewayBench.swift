/// The cost of a proxied request with an RS256 token at the gateway, and at HAProxy and Envoy in the same minutes.
///
/// Each edge has a core to itself, alone in its turn; nginx and wrk share the other one. First a number of tokens comes again
/// and again, then more tokens come once each. Over TLS no token comes once; full handshakes and resting connections come
/// instead.
package struct GatewayBench: Sendable {
    static let edgeCore = 0
    private static let warmUpSeconds = 1
    /// How long a round of tokens that come once may take.
    private static let onceSecondsMax = 5

    package let rounds: Int
    /// The duration of one edge's load in one round.
    package let seconds: Int
    /// Tokens that come in turn.
    package let tokenCount: Int
    /// Tokens that come once, in each round others.
    package let onceCount: Int
    /// Connections over TLS that rest; nil for plain HTTP.
    let tlsRestingCount: Int?
    var isOverTLS: Bool { tlsRestingCount != nil }

    package init(rounds: Int, seconds: Int, tokenCount: Int, onceCount: Int) {
        self.rounds = rounds
        self.seconds = seconds
        self.tokenCount = tokenCount
        self.onceCount = onceCount
        tlsRestingCount = nil
    }

    /// The edges speak TLS.
    package init(rounds: Int, seconds: Int, tokenCount: Int, tlsRestingCount: Int) {
        self.rounds = rounds
        self.seconds = seconds
        self.tokenCount = tokenCount
        onceCount = 0
        self.tlsRestingCount = tlsRestingCount
    }

    /// - Parameter add: gets the figures of one part after the other.
    /// - Throws: `UnexpectedReply` on a machine with one core; what an edge that is not alike throws.
    package func run(_ add: ([Figure]) throws -> Void) async throws {
        try checkCores()
        try await GatewayUnderLoad.run("bench-gateway", core: Self.edgeCore, isOverTLS: isOverTLS) { _ in
            isOverTLS ? ["LATCHKEY_MEMORY_MB": "\(TLSFront.roomyMegabytes)"] : [:]
        } _: { gateway in
            let load = TokenLoad(core: GatewayUnderLoad.loadCore, folder: gateway.folder, isOverTLS: isOverTLS)
            try await withPeers(gateway) { peers in
                let edges = [gateway.edge] + peers
                // First: signing takes longer than the gateway keeps an idle connection of ours.
                for edge in edges { try await edge.check(gateway.tokens) }
                try await prepare(gateway.tokens, load)
                if let certificate = gateway.certificate {
                    try await AgreedTLS.check(edges, trusting: certificate.authority, in: gateway.folder)
                }
                try add(try await measure(edges, load))
                guard let certificate = gateway.certificate, let tlsRestingCount else { return }
                try add(try await handshakes(edges, certificate, gateway.folder))
                try add(try await resting(tlsRestingCount, edges, try gateway.tokens.token(of: "resting")))
            }
        }
    }

    func checkCores() throws {
        guard Machine.coreCount >= 2 else {
            throw UnexpectedReply(description: "one core is for the edge, one for the load")
        }
    }

    func prepare(_ tokens: TokenSource, _ load: TokenLoad) async throws {
        try load.write(try await tokens.tokens(tokenCount, series: "turn"), as: "turn")
        guard onceCount > 0 else { return }
        for round in 1...rounds {
            try load.write(try await tokens.tokens(onceCount, series: "once-\(round)"), as: "once-\(round)")
        }
    }

    private func withPeers(_ gateway: GatewayUnderLoad, _ body: ([EdgeUnderTest]) async throws -> Void) async throws {
        let (tokens, certificate, folder) = (gateway.tokens, gateway.certificate, gateway.folder)
        let proxy = HAProxyPeer(
            port: try await LoopbackServer.freePort(), upstreamPort: gateway.upstream.port, issuer: tokens.issuer,
            publicKey: tokens.publicKey, certificate: certificate, folder: folder)
        try await proxy.process(core: Self.edgeCore).run { process in
            let haproxy = EdgeUnderTest(
                name: "haproxy", port: proxy.port, tls: certificate?.client, process: process)
            guard let executable = EnvoyPeer.installed else {
                Report.say("  *** ENVOY IS NOT THERE: nothing is compared with it, and its bound is missed ***")
                return try await body([haproxy])
            }
            let envoy = EnvoyPeer(
                executable: executable, port: try await LoopbackServer.freePort(), upstreamPort: gateway.upstream.port,
                issuer: tokens.issuer, audience: tokens.audience, keySet: tokens.publishedKeySet,
                certificate: certificate, folder: folder)
            try await envoy.process(core: Self.edgeCore).run { process in
                let edge = EdgeUnderTest(name: "envoy", port: envoy.port, tls: certificate?.client, process: process)
                try await body([haproxy, edge])
            }
        }
    }

    private func measure(_ edges: [EdgeUnderTest], _ load: TokenLoad) async throws -> [Figure] {
        var measured = isOverTLS ? GatewayRounds("gateway.tls", bounds: .tls) : GatewayRounds()
        for edge in edges {
            _ = try await load.run("turn", .inTurn, port: edge.port, seconds: Self.warmUpSeconds).withoutFailures()
        }
        let busyBefore = (Machine.busySeconds, ContinuousClock.now)
        for _ in 0..<rounds {
            for edge in edges { measured.add(try await sample(edge, load, "turn", .inTurn), of: edge.name, .inTurn) }
        }
        for round in 1...rounds where onceCount > 0 {
            for edge in edges where GatewayRounds.onceEdges.contains(edge.name) {
                measured.add(try await sample(edge, load, "once-\(round)", .once), of: edge.name, .once)
            }
        }
        let wall = (ContinuousClock.now - busyBefore.1) / .seconds(1)
        return measured.figures()
            + [Figure("\(measured.name).busy", (Machine.busySeconds - busyBefore.0) / wall, .cores)]
    }

    func sample(
        _ edge: EdgeUnderTest, _ load: TokenLoad, _ tokens: String, _ order: TokenLoad.Order
    ) async throws -> GatewayRounds.Sample {
        let before = try ProcessTimes(of: edge.process)
        let outcome = try await load.run(
            tokens, order, port: edge.port, seconds: order == .once ? Self.onceSecondsMax : seconds
        ).withoutFailures()
        let used = try ProcessTimes(of: edge.process).seconds - before.seconds
        return GatewayRounds.Sample(
            cpuMicroseconds: used * 1_000_000 / Double(outcome.requestCount),
            requestsPerSecond: Double(outcome.requestCount) / outcome.seconds,
            p99Milliseconds: outcome.p99Milliseconds)
    }
}

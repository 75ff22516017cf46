import TestSupport

/// How others fare while slowhttptest keeps the gateway's connections busy.
struct SlowAttackBench: Sendable {
    private static let connectionCount = 1000
    private static let seconds = 20
    private static let othersP99MillisecondsMax = 100.0
    private static let tokenCount = 100
    /// slowhttptest's options and path by name, against what everybody reaches without a token; those through a route that
    /// the policy opens would each hold a connection to the app's API.
    private static let attacks = [
        ("headers", "-H -i 5", "/api/things"), ("body", "-B -i 5 -s 8192", "/auth/otp/request"),
        ("read", "-X -w 64 -y 128 -n 5 -z 32 -k 3", "/.well-known/jwks.json"),
        ("open-body", "-B -i 5 -s 8192", "/open/upload"),
        ("open-read", "-X -w 64 -y 128 -n 5 -z 32 -k 1", "/open/large"),
    ]

    let gateway: GatewayUnderLoad

    /// - Parameter add: gets the figures of one attack after the other.
    func run(_ add: ([Figure]) throws -> Void) async throws {
        let load = TokenLoad(connectionCount: 8, folder: gateway.folder)
        try load.write(try await gateway.tokens.tokens(Self.tokenCount, series: "turn"), as: "turn")
        for (name, options, path) in Self.attacks {
            let command = """
                exec setpriv --pdeathsig KILL slowhttptest -c \(Self.connectionCount) -r 250 -l \(Self.seconds) -p 3 \
                \(options) -u 'http://127.0.0.1:\(gateway.port)\(path)'
                """
            async let attacking = Shell.run(command, in: gateway.folder)
            async let others = load.run("turn", .inTurn, port: gateway.port, seconds: Self.seconds)
            let outcome = try await others
            _ = try await attacking
            try gateway.checkAlive()
            try add(
                [
                    Figure("rate", Double(outcome.requestCount) / outcome.seconds, .perSecond),
                    Figure("failures", Double(outcome.failureCount), .count, bound: .atMost(0)),
                    Figure(
                        "p99", outcome.p99Milliseconds, .milliseconds, bound: .atMost(Self.othersP99MillisecondsMax)),
                ].under("attacks.\(name)"))
        }
    }
}

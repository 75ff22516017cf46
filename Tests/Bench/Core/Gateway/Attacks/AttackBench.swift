import AuthAPI
import TestSupport

/// The memory that hostile clients make the gateway use, over TLS or not, and the effect on other clients; compared with
/// HAProxy and nginx.
struct AttackBench: Sendable {
    /// The attacks of slowhttptest, all together, as `--only` names them.
    private static let slow = "slow"

    /// The duration of each attack.
    let seconds: Int
    /// Names of attacks; empty for all.
    let only: [String]
    let hasPeers: Bool
    let isOverTLS: Bool

    /// The names of attacks over TLS or without it.
    static let allNames = names(isOverTLS: true) + [slow]

    /// The names that `--only` accepts.
    static func names(isOverTLS: Bool) -> [String] {
        Attack.all(seconds: 1, bearer: "").map(\.name)
            + (isOverTLS ? (Attack.handshakes([], 1) + Attack.overHTTP2(seconds: 1, bearer: "")).map(\.name) : [slow])
    }

    /// - Parameter add: gets the figures of one attack after the other.
    func run(_ add: ([Figure]) throws -> Void) async throws {
        try await AttackedGateway.run("bench-attacks", isOverTLS: isOverTLS) { attacked in
            try await attack(attacked.series, attacked.bearer, add)
            if !isOverTLS, isChosen(Self.slow) { try await SlowAttackBench(gateway: attacked.gateway).run(add) }
            guard hasPeers else { return }
            try await AttackedPeers.run(attacked) { peer in
                let others = OtherClients(edge: peer, tokens: attacked.series.otherClients.tokens)
                try await attack(
                    AttackSeries(edge: peer, upstreamPorts: attacked.series.upstreamPorts, otherClients: others),
                    attacked.bearer, add)
            }
        }
    }

    private func attack(_ series: AttackSeries, _ bearer: String, _ add: ([Figure]) throws -> Void) async throws {
        var attacks = Attack.all(seconds: seconds, bearer: bearer)
        if let tls = series.edge.tls {
            let overHTTP2 = try tls.speaking("h2")
            attacks = attacks.map { $0.over(tls) } + Attack.handshakes(try tls.hello(), seconds)
            attacks += Attack.overHTTP2(seconds: seconds, bearer: bearer).map { $0.over(overHTTP2) }
        }
        for attack in attacks where isChosen(attack.name) {
            let name = series.stack == nil ? "\(attack.name).\(series.edge.name)" : attack.name
            try add(
                try await series.run(attack).under(series.edge.tls == nil ? "attacks.\(name)" : "attacks.tls.\(name)"))
        }
    }

    private func isChosen(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
}

/// A gateway with little memory, before an API that works and one that reads nothing, and ordinary clients of it.
struct AttackedGateway: Sendable {
    /// The gateway's memory setting (`LATCHKEY_MEMORY_MB`).
    static let givenMegabytes = 256
    private static let tokenCount = 100

    let gateway: GatewayUnderLoad
    let series: AttackSeries
    /// A token of a user in user-service.
    let bearer: String

    /// Runs `body` with a fresh stack, and ends it on every path.
    static func run<Value: Sendable>(
        _ name: String, isOverTLS: Bool = false, _ body: (AttackedGateway) async throws -> Value
    ) async throws -> Value {
        try await LoopbackServer.runStalled { stalled in
            try await GatewayUnderLoad.run(name, isOverTLS: isOverTLS) { folder in
                ["LATCHKEY_POLICY": try policy(stalled, in: folder), "LATCHKEY_MEMORY_MB": "\(givenMegabytes)"]
            } _: { gateway in
                let tokens = try await gateway.tokens.tokens(tokenCount, series: "others")
                let bearer = try await gateway.stack.signIn(name: "Betty").tokens.accessToken
                let others = OtherClients(edge: gateway.edge, tokens: tokens)
                let series = AttackSeries(
                    edge: gateway.edge, upstreamPorts: [gateway.upstream.port, stalled], stack: gateway.stack,
                    otherClients: others)
                return try await body(AttackedGateway(gateway: gateway, series: series, bearer: bearer))
            }
        }
    }

    /// The policy with routes that anybody may use, one of them to the upstream that reads nothing.
    private static func policy(_ stalled: Int, in folder: String) throws -> String {
        try BenchPolicy.write(in: folder) { policy in
            let routes = """
                  - { path: /open/**, upstream: app, access: open }
                  - { path: /stalled/**, upstream: stalled, access: open }

                """
            try policy.change("\nroutes:\n", to: "\nroutes:\n" + routes)
            try policy.change("\nupstreams:\n", to: "\nupstreams:\n  stalled: http://127.0.0.1:\(stalled)\n")
        }
    }
}

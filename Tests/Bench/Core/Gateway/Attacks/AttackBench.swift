/// The memory that hostile clients make the gateway use, over TLS or not, and the effect on other clients; compared with
/// HAProxy, nginx, and perhaps another build.
package struct AttackBench: Sendable {
    package static let givenMegabytes = AttackedGateway.givenMegabytes
    /// The attacks of slowhttptest, all together, as `--only` names them.
    package static let slow = "slow"

    /// The duration of each attack.
    let seconds: Int
    /// Names of attacks; empty for all.
    let only: [String]
    let hasPeers: Bool
    let other: Build?
    let isOverTLS: Bool

    package init(seconds: Int, only: [String], hasPeers: Bool, beside other: Build?, isOverTLS: Bool = false) {
        self.seconds = seconds
        self.only = only
        self.hasPeers = hasPeers
        self.other = other
        self.isOverTLS = isOverTLS
    }

    /// The names that `--only` accepts.
    package static func names(isOverTLS: Bool) -> [String] {
        Attack.all(seconds: 1, bearer: "").map(\.name)
            + (isOverTLS ? Attack.handshakes([], 1).map(\.name) : [slow])
    }

    /// - Parameter add: gets the figures of one attack after the other.
    package func run(_ add: ([Figure]) throws -> Void) async throws {
        try await StalledUpstream.run { stalled in
            try await AttackedGateway.run("bench-attacks", isOverTLS: isOverTLS, stalled) { attacked in
                try await attack(attacked.series, attacked.bearer, add)
                if !isOverTLS, isChosen(Self.slow) { try await SlowAttackBench(gateway: attacked.gateway).run(add) }
                guard hasPeers else { return }
                try await AttackedPeers.run(attacked.gateway, stalled) { peer in
                    try await attack(attacked.series.moved(to: peer), attacked.bearer, add)
                }
            }
            guard let other else { return }
            try await AttackedGateway.run("bench-attacks", of: other, isOverTLS: isOverTLS, stalled) { attacked in
                try await attack(attacked.series, attacked.bearer, add)
            }
        }
    }

    private func attack(_ series: AttackSeries, _ bearer: String, _ add: ([Figure]) throws -> Void) async throws {
        for attack in try attacks(series.edge, bearer) where isChosen(attack.name) {
            try add(series.figures(attack, try await series.run(attack)))
        }
    }

    private func attacks(_ edge: AttackedEdge, _ bearer: String) throws -> [Attack] {
        let all = Attack.all(seconds: seconds, bearer: bearer)
        guard let tls = edge.tls else { return all }
        return all.map { $0.over(tls) } + Attack.handshakes(try tls.hello(), seconds)
    }

    private func isChosen(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
}

/// What hostile clients make the gateway hold, and how others fare meanwhile; beside it HAProxy, nginx, and perhaps another
/// build.
package struct AttackBench: Sendable {
    package static let givenMegabytes = AttackedGateway.givenMegabytes
    /// The attacks of slowhttptest, all together, as `--only` names them.
    package static let slow = "slow"

    /// Of each attack.
    let seconds: Int
    /// Names of attacks; empty for all.
    let only: [String]
    let hasPeers: Bool
    let other: Build?

    package init(seconds: Int, only: [String], hasPeers: Bool, beside other: Build?) {
        self.seconds = seconds
        self.only = only
        self.hasPeers = hasPeers
        self.other = other
    }

    /// What `--only` may name.
    package static var names: [String] { Attack.all(seconds: 1, bearer: "").map(\.name) + [slow] }

    /// - Parameter add: gets the figures of one attack after the other.
    package func run(_ add: ([Figure]) throws -> Void) async throws {
        try await StalledUpstream.run { stalled in
            try await AttackedGateway.run("bench-attacks", stalled) { attacked in
                try await attack(attacked.siege, attacked.bearer, add)
                if isChosen(Self.slow) { try await SlowAttackBench(gateway: attacked.gateway).run(add) }
                guard hasPeers else { return }
                try await AttackedPeers.run(attacked.gateway, stalled) { peer in
                    try await attack(attacked.siege.moved(to: peer), attacked.bearer, add)
                }
            }
            guard let other else { return }
            try await AttackedGateway.run("bench-attacks", of: other, stalled) { attacked in
                try await attack(attacked.siege, attacked.bearer, add)
            }
        }
    }

    private func attack(_ siege: Siege, _ bearer: String, _ add: ([Figure]) throws -> Void) async throws {
        for attack in Attack.all(seconds: seconds, bearer: bearer) where isChosen(attack.name) {
            try add(siege.figures(attack, try await siege.run(attack)))
        }
    }

    private func isChosen(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
}

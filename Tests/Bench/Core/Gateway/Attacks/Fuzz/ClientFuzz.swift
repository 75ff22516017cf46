/// Crowds of hostile clients drawn out of a seed, one after the other, on one gateway with little memory.
package struct ClientFuzz: Sendable {
    /// The seed of the first round; each later one has the next.
    package let seed: UInt64
    package let rounds: Int
    /// The duration of one round, without opening its connections.
    package let seconds: Int
    /// Whether it is a finding that others wait: not with an unoptimised gateway, which a crowd keeps busy by itself.
    package let judgesService: Bool

    package init(seed: UInt64, rounds: Int, seconds: Int, judgesService: Bool = true) {
        self.seed = seed
        self.rounds = rounds
        self.seconds = seconds
        self.judgesService = judgesService
    }

    /// The result of all rounds.
    package struct Outcome: Sendable {
        /// In MB, its sockets' memory included.
        package var heldMost = 0.0
        package var othersP99MillisecondsMost = 0.0
        package var newcomerSecondsMost = 0.0
        /// Rounds in which the gateway held too much or ended, or somebody else was not served; with their seeds.
        package var findings: [String] = []
    }

    /// - Parameter say: is given a line for each round.
    package func run(_ say: (String) -> Void) async throws -> Outcome {
        try await StalledUpstream.run { stalled in
            try await AttackedGateway.run("client-fuzz", stalled) { attacked in
                var total = Outcome()
                for number in 0..<rounds {
                    let roundSeed = seed &+ UInt64(number)
                    var draw = HostileDraw(seed: roundSeed, bearer: attacked.bearer)
                    let attack = Attack("fuzz", draw.plan(), seconds)
                    let outcome = try await attacked.series.run(attack)
                    let line = "seed \(roundSeed): \(attack.plan.summary): \(Self.text(outcome))"
                    say(line)
                    if isFinding(outcome) { total.findings.append(line) }
                    total.add(outcome)
                }
                return total
            }
        }
    }

    private func isFinding(_ outcome: AttackSeries.Outcome) -> Bool {
        guard let held = outcome.held else { return true }
        let isUnserved =
            outcome.others.failureCount > 0 || outcome.others.newcomerSeconds >= OtherClients.unansweredSeconds
        return held.total > AttackSeries.megabytesMax || (judgesService && isUnserved)
    }

    private static func text(_ outcome: AttackSeries.Outcome) -> String {
        let held = outcome.held.map { FigureText.number($0.total) + " MB" } ?? "the gateway has ended"
        let others = outcome.others
        return "\(held); others p99 \(FigureText.number(others.p99Milliseconds)) ms, \(others.failureCount) failed; "
            + "newcomers \(FigureText.number(others.newcomerSeconds)) s"
    }
}

extension ClientFuzz.Outcome {
    mutating func add(_ round: AttackSeries.Outcome) {
        heldMost = max(heldMost, round.held?.total ?? 0)
        othersP99MillisecondsMost = max(othersP99MillisecondsMost, round.others.p99Milliseconds)
        newcomerSecondsMost = max(newcomerSecondsMost, round.others.newcomerSeconds)
    }

    /// With the bound that nothing was found.
    package var figures: [Figure] {
        [
            Figure("fuzz.memory", heldMost, .megabytes, bound: .atMost(AttackSeries.megabytesMax)),
            Figure("fuzz.p99", othersP99MillisecondsMost, .milliseconds),
            Figure("fuzz.newcomer", newcomerSecondsMost, .seconds),
            Figure("fuzz.findings", Double(findings.count), .count, bound: .atMost(0)),
        ]
    }
}

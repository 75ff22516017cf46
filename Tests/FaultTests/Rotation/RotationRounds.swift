import TestSupport
import Testing

extension Faults {
    /// `kill -9` of token-service at random moments of rotations by 16 clients (security guide F-20).
    @Suite(.serialized, .timeLimit(.minutes(30))) struct RotationRounds {
        private static let victims = [["token"], ["token-2"], ["token", "token-2"]]
        /// From so many rounds on a run has to show `rotationsMin`.
        private static let longRounds = 30
        private static let rotationsMin = 5_000

        @Test func `no acknowledged rotation is lost, unrecorded or undone by kill -9, and no used token works again`()
            async throws
        {
            let run = FaultRun("rotations", shortRounds: 2)
            try await LatchkeyStack.run(
                name: "RotationRounds", environment: ["LATCHKEY_REPLICAS": "token=2"],
                policy: PolicyText.unlimitedRefreshes.merging(PolicyText.noRepeatsWithoutKey) { $1 }
                    .merging(["refresh: counters": "refresh: full"]) { $1 }
            ) { stack in
                try await stack.untilReady()
                let round = RotationRound(stack: stack)
                var generator = SeededGenerator(seed: run.seed)
                var (rotations, replays, findings) = (0, 0, 0)
                var survivors: [RotationRound.Chain] = []
                for number in 1...max(run.rounds, 1) {
                    let victims = Self.victims.randomElement(using: &generator) ?? []
                    let report = try await round.run(
                        victims.map { .kill($0) }, after: generator.milliseconds(0...1_500))
                    for finding in report.findings { Issue.record("round \(number), \(finding)") }
                    rotations += report.rotations
                    replays += report.replays
                    findings += report.findings.count
                    survivors += report.survivors
                }
                for session in try await round.unrefreshed(survivors) {
                    Issue.record("session \(session) does not refresh at the end")
                    findings += 1
                }
                run.report(
                    "\(run.rounds) kills, \(rotations) rotations acknowledged, \(replays) used tokens presented again, "
                        + "\(survivors.count) sessions alive at the end, \(findings) findings")
                #expect(rotations >= (run.rounds >= Self.longRounds ? Self.rotationsMin : run.rounds))
                #expect(replays > 0)
            }
        }
    }
}

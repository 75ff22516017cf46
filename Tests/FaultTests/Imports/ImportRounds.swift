import TestSupport
import Testing

extension Faults {
    /// Users of another system are moved in while processes are killed.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct ImportRounds {
        private static let victims = ["user", "redis", "gateway"]

        @Test func `everybody comes in once and logs in from then on, whatever is killed`() async throws {
            let run = FaultRun("imports", shortRounds: 1)
            try await LatchkeyStack.run(
                name: "ImportRounds", policy: PolicyText.unlimitedRefreshes.merging(PolicyText.passwords) { $1 }
            ) { stack in
                let storm = ImportStorm(stack: stack)
                var generator = SeededGenerator(seed: run.seed)
                var (storms, findings, logins) = (0, 0, 0)
                for number in 1...max(run.rounds, 1) {
                    let victims = FaultRun.isLong ? Self.victims : ["user"]
                    for fault in [nil] + victims.map({ ProcessFault.kill($0) }) {
                        let report = try await storm.run(fault, seed: generator.next())
                        for finding in report.findings { Issue.record("round \(number), \(finding)") }
                        storms += 1
                        findings += report.findings.count
                        logins += report.logins
                    }
                }
                run.report("\(storms) crowds, \(logins) logins meanwhile, \(findings) findings")
                #expect(logins > 0)
            }
        }
    }
}

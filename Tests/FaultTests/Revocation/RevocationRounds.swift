import TestSupport
import Testing

extension Faults {
    /// Revoked tokens are refused whatever happens to Redis, and live ones never take the blame (security guide F-30 to F-36).
    @Suite(.serialized, .timeLimit(.minutes(60))) struct RevocationRounds {
        @Test func `no revoked token is accepted past the bound, no live one refused, and all recovers`() async throws {
            let run = FaultRun("revocation", shortRounds: 1)
            let faults = try RevocationFault.chosen()
            try await RevocationFixture.run(isLong: run.rounds > 1) { fixture in
                var generator = SeededGenerator(seed: run.seed)
                for number in 1...max(run.rounds, 1) {
                    for fault in faults.shuffled(using: &generator) {
                        let report = try await fixture.round(fault)
                        for finding in report.findings { Issue.record("round \(number), \(finding)") }
                        run.report("\(fault.rawValue): \(report)")
                    }
                }
            }
        }
    }
}

extension RevocationFixture.Report: CustomStringConvertible {
    var description: String {
        "\(acknowledged) ends, \(probes) probes, last accepted after \(latestAccepted), slowest 503 \(slowestRefusal), "
            + "recovery \(recovery), \(findings.count) findings"
    }
}

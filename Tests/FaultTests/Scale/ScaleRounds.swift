import TestSupport
import Testing

extension Faults {
    /// Two hosts with everything and a third with Redis, of which parts fail, freeze or hear each other no more
    /// (security guide F-48, F-49).
    @Suite(
        .serialized, .timeLimit(.minutes(60)),
        .enabled(if: Network.obstacle == nil || FaultRun.isLong, "needs root, etcd and Patroni"))
    struct ScaleRounds {
        @Test(.enabled(if: ScaleKind.chosen != nil))
        func `nothing acknowledged is lost and nobody is signed out, whatever part of two hosts fails`() async throws {
            let kind = try #require(ScaleKind.chosen)
            if let obstacle = Network.obstacle { throw Machine.Failed(description: obstacle) }
            let run = FaultRun("scale \(kind.rawValue)", shortRounds: 1)
            try await Deployment.with { deployment in
                run.report(try await deployment.cluster.settings())
                var reports: [ScaleRound.Report] = []
                for number in 0..<max(run.rounds, 1) {
                    let fault = try await ScaleFault.next(kind, number, in: deployment)
                    let report = try await ScaleRound(deployment: deployment).run(fault)
                    run.report("round \(number + 1): \(report)")
                    for finding in report.findings { Issue.record("round \(number + 1), \(finding)") }
                    reports.append(report)
                }
                try await deployment.command("audit verify")
                let slow = reports.count { $0.recovery > kind.recoveryMax }
                run.report("\(slow) of \(reports.count) recoveries took longer than \(kind.recoveryMax)")
                #expect(slow * 10 <= reports.count)
                #expect(reports.allSatisfy { $0.acknowledged > 0 })
            }
        }
    }
}

import FoundationEssentials
import TestSupport
import Testing

extension Faults {
    /// A bad network between clients and the gateway, under the clients of `FreezeRound`.
    @Suite(
        .serialized, .timeLimit(.minutes(40)),
        .enabled(if: LossyPath.isPossible || FaultRun.isLong, "needs root and nft"))
    struct LossRounds {
        @Test func `no session ends of lost packets or reset connections`() async throws {
            let run = FaultRun("losses", shortRounds: 1)
            try await LatchkeyStack.run(name: "LossRounds", policy: PolicyText.unlimitedRefreshes) { stack in
                try await stack.untilReady()
                let port = try #require(URL(string: stack.gateway.base)?.port)
                var total = FreezeRound.Report()
                try await stack.gateway.withConnections(FreezeRound.connections) { gateway in
                    let round = FreezeRound(stack: stack, gateway: gateway)
                    for number in 0..<max(run.rounds, 1) {
                        for loss in LossyPath.Loss.allCases {
                            let report = try await round.run("packets \(loss.rawValue)") {
                                try await LossyPath(port: port).suffering(loss) {
                                    try await Task.sleep(for: .seconds(5))
                                }
                            }
                            for finding in report.findings { Issue.record("round \(number), \(finding)") }
                            total += report
                        }
                    }
                }
                run.report("\(run.rounds) rounds: \(total)")
                #expect(total.rotations > 0 && total.unavailable > 0 && total.signIns > 0 && total.ends > 0)
            }
        }
    }
}

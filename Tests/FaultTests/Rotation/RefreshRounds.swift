import TestSupport
import Testing

extension Faults {
    /// Concurrent refreshes with one token, through the gateway and two replicas of token-service (security guide F-01).
    @Suite(.serialized, .timeLimit(.minutes(20))) struct RefreshRounds {
        @Test func `a token presented fifty times at once has one successor, and without a key its session ends`()
            async throws
        {
            try await rounds("refreshes", [.withoutKey, .withOneKey], policy: [:])
        }

        @Test func `under refuse a token presented fifty times at once has one successor, and its session lives`()
            async throws
        {
            try await rounds("refreshes under refuse", [.spared], policy: ["onReuse: revoke": "onReuse: refuse"])
        }

        private func rounds(_ name: String, _ kinds: [RefreshStorm.Kind], policy: [String: String]) async throws {
            let run = FaultRun(name, shortRounds: 3)
            try await LatchkeyStack.run(
                name: "RefreshRounds", environment: ["LATCHKEY_REPLICAS": "token=2"],
                policy: policy.merging(PolicyText.unlimitedRefreshes) { $1 }
                    .merging(PolicyText.noRepeatsWithoutKey) { $1 }
            ) { stack in
                try await stack.untilReady()
                var findings: [String] = []
                try await stack.gateway.withConnections(RefreshStorm.width) { gateway in
                    let storm = RefreshStorm(stack: stack, gateway: gateway)
                    for number in 1...max(run.rounds, 1) {
                        for kind in kinds { findings += try await storm.run(kind).map { "round \(number), \($0)" } }
                    }
                }
                findings += try await DatabaseCheck(of: stack).findings()
                for finding in findings { Issue.record("\(finding)") }
                run.report(
                    "\(run.rounds) rounds of \(kinds.map(\.rawValue).joined(separator: ", ")), "
                        + "\(RefreshStorm.width) at once, \(findings.count) findings")
            }
        }
    }
}

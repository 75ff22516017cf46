import TestSupport
import Testing

extension Faults {
    /// SIGSTOP of each process under clients that repeat whatever is answered 503, over two replicas of token-service.
    @Suite(.serialized, .timeLimit(.minutes(40))) struct FreezeRounds {
        /// token-service most often: what it does late ends sessions.
        private static let victims = ["token", "gateway", "token-2", "otp", "token", "user", "token-2", "redis"]
        private static let freezeMilliseconds = 200...4_000

        @Test func `what was answered 503 did not happen or a repeat completes it, and no session ends of a freeze`()
            async throws
        {
            let run = FaultRun("freezes", shortRounds: 2 * Self.victims.count)
            // The storms of RefreshRounds are short; each round of these takes seconds.
            let rounds = (run.rounds + 1) / 2
            try await LatchkeyStack.run(
                name: "FreezeRounds", environment: ["LATCHKEY_REPLICAS": "token=2"],
                policy: PolicyText.unlimitedRefreshes
            ) { stack in
                try await stack.untilReady()
                var generator = SeededGenerator(seed: run.seed)
                var total = FreezeRound.Report()
                try await stack.gateway.withConnections(FreezeRound.connections) { gateway in
                    let round = FreezeRound(stack: stack, gateway: gateway)
                    for number in 0..<max(rounds, 1) {
                        let victim = Self.victims[number % Self.victims.count]
                        let report = try await round.run(
                            victim, for: generator.milliseconds(Self.freezeMilliseconds))
                        for finding in report.findings { Issue.record("round \(number), \(finding)") }
                        total += report
                        if number % 10 == 9 { run.report("\(number + 1) rounds so far: \(total)") }
                    }
                }
                run.report("\(rounds) rounds: \(total)")
                #expect(total.rotations > 0 && total.unavailable > 0 && total.signIns > 0 && total.ends > 0)
            }
        }
    }
}

extension FreezeRound.Report: CustomStringConvertible {
    var description: String {
        "\(rotations) rotations, \(signIns) sign-ins, \(ends) ends, \(unavailable) requests not answered or 503, "
            + "\(findings.count) findings"
    }
}

import TestSupport
import Testing

extension Faults {
    /// The primary is lost and its streaming standby takes over, under clients that sign in.
    @Suite(.serialized, .timeLimit(.minutes(20))) struct FailoverRounds {
        /// Waits that are cancelled while the standby is down, before the primary is lost.
        private static let waits = 20

        @Test(.enabled(if: FaultRun.isLong, "deploy/faults postgres"))
        func `a failover loses nothing that was acknowledged, nor confirms what only the primary had`() async throws {
            let run = FaultRun("failover", shortRounds: 1)
            var acknowledged = 0
            // A failover uses a standby up.
            for number in 1...max(1, run.rounds / 10) {
                let report = try await failover(settings: ["synchronous_standby_names = 'standby'"], waits: Self.waits)
                for finding in report.findings { Issue.record("failover \(number), \(finding)") }
                acknowledged += report.acknowledged
            }
            run.report("\(max(1, run.rounds / 10)) failovers, \(acknowledged) operations acknowledged")
            #expect(acknowledged > 0)
        }

        @Test(.enabled(if: FaultRun.isLong, "deploy/faults postgres"))
        func `control: what no standby confirmed is lost with the primary, and found to be`() async throws {
            let report = try await failover(settings: [], waits: 0)
            #expect(!report.findings.isEmpty, "nothing was lost: the rounds cannot fail")
        }

        private func failover(settings: [String], waits: Int) async throws -> KillRound.Report {
            try await withPostgreSQLServer { primary in
                try await withStandby(of: primary) { standby in
                    for setting in settings { try primary.set(setting) }
                    return try await LatchkeyStack.run(
                        name: "FailoverRounds", policy: KillRound.policy,
                        database: StackDatabase(on: primary, standby: standby)
                    ) { stack in
                        try await stack.untilReady()
                        let fault = DatabaseFault.failover(to: standby, AbsentStandby(waits: waits))
                        return try await KillRound(stack).run(.database(fault), after: .seconds(1))
                    }
                }
            }
        }
    }
}

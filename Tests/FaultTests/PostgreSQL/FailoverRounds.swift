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
                let report = try await failover(settings: Self.awaited) {
                    .failover(to: $0, AbsentStandby(waits: Self.waits))
                }
                for finding in report.findings { Issue.record("failover \(number), \(finding)") }
                acknowledged += report.acknowledged
            }
            run.report("\(max(1, run.rounds / 10)) failovers, \(acknowledged) operations acknowledged")
            #expect(acknowledged > 0)
        }

        @Test(arguments: UnfencedPrimary.allCases)
        func `a primary that comes back or wakes up signs nobody out`(_ kind: UnfencedPrimary) async throws {
            let run = FaultRun("failover, \(kind)", shortRounds: 1)
            let rounds = FaultRun.isLong ? max(1, run.rounds / 10) : 1
            var (acknowledged, unavailable) = (0, 0)
            for number in 1...rounds {
                let report = try await failover(settings: Self.awaited, kind.fault)
                for finding in report.findings { Issue.record("failover \(number), \(finding)") }
                let others = report.failedResponses.filter { $0.key != "503" }
                for (status, count) in others { Issue.record("failover \(number): \(count) responses were \(status)") }
                acknowledged += report.acknowledged
                unavailable += report.failedResponses["503"] ?? 0
            }
            run.report("\(rounds) failovers, \(acknowledged) operations acknowledged, \(unavailable) answers 503")
            #expect(acknowledged > 0 && unavailable > 0)
        }

        @Test(.enabled(if: FaultRun.isLong, "deploy/faults postgres"))
        func `control: what no standby confirmed is lost with the primary, and found to be`() async throws {
            let report = try await failover(settings: []) { .failover(to: $0, AbsentStandby(waits: 0)) }
            #expect(!report.findings.isEmpty, "nothing was lost: the rounds cannot fail")
        }

        /// The ways in which an old primary takes connections again.
        enum UnfencedPrimary: CaseIterable, Sendable {
            case comesBack, thaws

            func fault(_ standby: PostgreSQLServer) -> DatabaseFault {
                switch self {
                case .comesBack: .failoverWithoutFence(to: standby)
                case .thaws: .thawingPrimary(to: standby)
                }
            }
        }

        private static let awaited = ["synchronous_standby_names = 'standby'"]

        private func failover(
            settings: [String], _ fault: (PostgreSQLServer) -> DatabaseFault
        ) async throws -> KillRound.Report {
            try await withPostgreSQLServer { primary in
                try await withStandby(of: primary) { standby in
                    for setting in settings { try primary.set(setting) }
                    return try await LatchkeyStack.run(
                        name: "FailoverRounds", policy: KillRound.policy,
                        database: StackDatabase(on: primary, standby: standby)
                    ) { stack in
                        try await stack.untilReady()
                        return try await KillRound(stack).run(.database(fault(standby)), after: .seconds(1))
                    }
                }
            }
        }
    }
}

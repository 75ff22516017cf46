import TestSupport
import Testing

extension Faults {
    /// The rounds of kills and rotations on PostgreSQL, whose server, connections and standby fail as well.
    @Suite(.serialized, .timeLimit(.minutes(120))) struct DatabaseRounds {
        private static let downMilliseconds = 100...1_500
        /// Longer than a connection waits for a server that sends nothing.
        private static let frozenMilliseconds = 500...4_000
        /// Enough for the tables and their log; little enough to be filled at once.
        private static let diskMegabytes = 192
        /// Commits are acknowledged before the log's writer writes them. `kill -9` loses only what is not written.
        private static let lossy = ["synchronous_commit = off", "wal_buffers = 16MB"]

        @Test func `nothing that PostgreSQL acknowledged is lost, doubled or refused, whatever fails`() async throws {
            let run = FaultRun("postgres", shortRounds: 2)
            let cutter = CommitCutter()
            try await withStack(cutter: cutter) { stack in
                var generator = SeededGenerator(seed: run.seed)
                var total = Total()
                for number in 0..<run.rounds {
                    let fault = Self.fault(number, using: &generator)
                    try await total.add(Self.round(stack).run(fault, after: generator.milliseconds(0...1_000)))
                    if number % 10 == 9 { run.report("\(number + 1) rounds so far: \(total)") }
                }
                let count = FaultRun.isLong ? 50 : 4
                for _ in 0..<(FaultRun.isLong ? 2 : 1) {
                    let cuts = ProcessFault.database(.cuts(cutter, count: count))
                    try await total.add(Self.round(stack).run(cuts, after: .zero))
                    total.add(try await RotationRound(stack: stack).run([cuts], after: .zero))
                    let waits = AbsentStandby(waits: count / 2)
                    try await total.add(Self.round(stack).run(.database(.absentStandby(waits)), after: .zero))
                }
                if FaultRun.isLong {
                    let waits = ProcessFault.database(.absentStandby(AbsentStandby(waits: count)))
                    total.add(try await RotationRound(stack: stack).run([waits], after: .zero))
                }
                for session in try await KillRound(stack).unrefreshed(total.sessions) {
                    Issue.record("session \(session) does not refresh at the end")
                }
                run.report("\(total); cuts: \(cutter.counts)")
                #expect(total.acknowledged > 0 && total.rotations > 0 && total.unavailable > 0)
            }
        }

        @Test func `changes of identities whose connections are cut around COMMIT are whole, and none is doubled`()
            async throws
        {
            let run = FaultRun("postgres, identities", shortRounds: 6)
            let cutter = CommitCutter()
            try await withPostgreSQLServer { server in
                try await withFaultProxy(toward: server.port, cutter: cutter) { proxy in
                    try await LatchkeyStack.run(
                        name: "DatabaseRounds-identities", environment: ["LATCHKEY_FAKES": "1"],
                        policy: IdentityRound.policy, database: StackDatabase(on: server, port: proxy.port)
                    ) { stack in
                        try await stack.untilReady()
                        var total = try await IdentityRound(stack, replicas: ["user"]).run(seed: run.seed) {
                            try await cutter.cut(run.rounds, of: [.identity])
                        }
                        let check = DatabaseCheck(of: stack)
                        total.findings += try await check.findings() + check.auditFindings()
                        for finding in total.findings { Issue.record("\(finding)") }
                        run.report("\(total); cuts: \(cutter.counts)")
                        #expect(total.interleavings > 0)
                    }
                }
            }
        }

        @Test func `control: what PostgreSQL acknowledged before it wrote it is lost, and found to be`() async throws {
            let run = FaultRun("postgres, synchronous_commit=off", shortRounds: 1)
            try await withStack(settings: Self.lossy) { stack in
                // The schemas stay; only what clients were told is to be lost.
                _ = try await stack.database?.server.psql("CHECKPOINT")
                // A machine that has much to do may let it wait as well.
                try stack.database?.server.freeze("walwriter")
                let report = try await Self.round(stack).run(.database(.kill(.zero)), after: .seconds(1))
                #expect(!report.findings.isEmpty, "nothing was lost: the rounds cannot fail")
                run.report("lost: \(report.findings.first ?? "nothing")")
            }
        }

        private static func round(_ stack: LatchkeyStack) -> KillRound {
            KillRound(stack, clients: FaultRun.isLong ? 16 : 8)
        }

        /// By turns each process, and each failure of the server that is possible here.
        private static func fault(_ number: Int, using generator: inout SeededGenerator) -> ProcessFault {
            let down = generator.milliseconds(downMilliseconds)
            let frozen = generator.milliseconds(frozenMilliseconds)
            let faults: [ProcessFault] = [
                .database(.kill(down)), .database(.readOnly(down)), .kill("token"), .database(.freeze(frozen)),
                .kill("user"),
            ]
            let isPossible = PostgreSQLServer.diskObstacle == nil
            return (faults + (isPossible ? [.database(.fullDisk(frozen))] : []))[number % (isPossible ? 6 : 5)]
        }

        private func withStack(
            settings: [String] = [], cutter: CommitCutter? = nil, _ body: (LatchkeyStack) async throws -> Void
        ) async throws {
            let isPossible = PostgreSQLServer.diskObstacle == nil
            // Small files of the log, so that it needs room soon.
            let small = ["min_wal_size = 32MB", "max_wal_size = 64MB"]
            try await withPostgreSQLServer(
                settings: small + settings, diskMegabytes: isPossible ? Self.diskMegabytes : nil
            ) { server in
                try await withFaultProxy(toward: server.port, cutter: cutter) { proxy in
                    try await LatchkeyStack.run(
                        name: "DatabaseRounds",
                        policy: KillRound.policy.merging(PolicyText.unlimitedRefreshes) { $1 }
                            .merging(PolicyText.noRepeatsWithoutKey) { $1 }
                            .merging(["refresh: counters": "refresh: full"]) { $1 },
                        database: StackDatabase(on: server, port: cutter == nil ? nil : proxy.port)
                    ) { stack in
                        try await stack.untilReady()
                        try await body(stack)
                    }
                }
            }
        }

        /// The result of a run so far.
        private struct Total: CustomStringConvertible {
            var rounds = 0
            var acknowledged = 0
            var rotations = 0
            var unavailable = 0
            var findings = 0
            var slowest = Duration.zero
            var sessions: [HeldSession] = []

            var description: String {
                "\(rounds) rounds, \(acknowledged) operations and \(rotations) rotations acknowledged, \(unavailable) answers "
                    + "503, \(sessions.count) sessions alive, \(findings) findings, longest recovery \(slowest)"
            }

            mutating func add(_ report: KillRound.Report) {
                acknowledged += report.acknowledged
                sessions += report.sessions
                slowest = max(slowest, report.recovery)
                unavailable += report.failedResponses["503"] ?? 0
                let others = report.failedResponses.filter { $0.key != "503" }
                record(report.findings + others.map { "\($0.value) responses were \($0.key)" })
            }

            mutating func add(_ report: RotationRound.Report) {
                rotations += report.rotations
                record(report.findings)
            }

            private mutating func record(_ found: [String]) {
                rounds += 1
                findings += found.count
                for finding in found { Issue.record("round \(rounds), \(finding)") }
            }
        }
    }
}

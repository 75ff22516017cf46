import TestSupport
import Testing

extension Faults {
    /// The databases' disk loses power at random moments of sign-ins and refreshes by 16 clients (security guide F-21).
    @Suite(
        .serialized, .timeLimit(.minutes(60)),
        .enabled(if: PowerDisk.obstacle == nil || FaultRun.isLong, "needs root and loop devices"))
    struct PowerRounds {
        /// Rounds in which the control has to have lost something.
        private static let controlRounds = 5
        private static let signInsMilliseconds = 300...1_500

        @Test func `nothing that was acknowledged is lost with the power, and nothing is half-made`() async throws {
            let run = FaultRun("power", shortRounds: 1)
            try await withDisk { stack, disk in
                var generator = SeededGenerator(seed: run.seed)
                var (acknowledged, lost, slowest) = (0, 0, Duration.zero)
                for number in 1...max(run.rounds, 1) {
                    let report = try await KillRound(stack).run(
                        .losePower(disk), after: generator.milliseconds(Self.signInsMilliseconds))
                    for finding in report.findings { Issue.record("round \(number), \(finding)") }
                    acknowledged += report.acknowledged
                    lost += report.findings.count
                    slowest = max(slowest, report.recovery)
                    run.report("round \(number): \(acknowledged) acknowledged, \(lost) findings")
                }
                run.report("longest recovery \(slowest)")
                #expect(acknowledged > 0)
            }
        }

        @Test func `control: what is committed under NORMAL is lost, and found to be`() async throws {
            let run = FaultRun("power, synchronous=NORMAL", shortRounds: 1)
            try await UnsyncedBinaries.run { binaries in
                try await withDisk(binaries: binaries) { stack, disk in
                    var generator = SeededGenerator(seed: run.seed)
                    for number in 1...Self.controlRounds {
                        let delay = generator.milliseconds(Self.signInsMilliseconds)
                        guard let loss = try await loss(KillRound(stack), disk, after: delay) else { continue }
                        return run.report("lost in round \(number): \(loss)")
                    }
                    Issue.record("nothing was lost in \(Self.controlRounds) rounds: the test of power loss cannot fail")
                }
            }
        }

        /// Returns the losses of a round; a file without even its tables prevents the start.
        private func loss(_ round: KillRound, _ disk: PowerDisk, after delay: Duration) async throws -> String? {
            do {
                return try await round.run(.losePower(disk), after: delay).findings.first
            } catch let error as NeverTrue {
                return error.description
            }
        }

        private func withDisk(
            binaries: String = LatchkeyStack.binaries, _ body: (LatchkeyStack, PowerDisk) async throws -> Void
        ) async throws {
            try await PowerDisk.run { disk in
                try await LatchkeyStack.run(
                    name: "PowerRounds", policy: KillRound.policy, binaries: binaries, prepare: { try disk.take($0) }
                ) { try await body($0, disk) }
            }
        }
    }
}

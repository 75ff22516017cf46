import TestSupport
import Testing

extension Faults {
    /// `kill -9` of each process and of Redis at random moments of sign-ins by 16 clients (security guide F-20, F-30).
    @Suite(.serialized, .timeLimit(.minutes(120))) struct KillRounds {
        private static let victims = ["gateway", "otp", "token", "user", "redis"]
        private static let guessFaults: [[ProcessFault]] = [
            [.kill("redis")], [.kill("otp")], [.kill("redis"), .kill("otp")], [.loseTail(.milliseconds(600))],
            [.loseTail(.milliseconds(300)), .kill("otp")],
        ]

        @Test func `no acknowledged session is lost and nothing is half-made, whatever is killed`() async throws {
            let run = FaultRun("kills", shortRounds: 2)
            var generator = SeededGenerator(seed: run.seed)
            // One half with Redis at its socket file, as on one machine, the other at its port, as in containers.
            for isAtPort in [false, true] {
                let rounds = (run.rounds + (isAtPort ? 0 : 1)) / 2
                guard rounds > 0 else { continue }
                let name = "KillRounds" + (isAtPort ? "-redis-at-port" : "")
                let total = try await LatchkeyStack.run(
                    name: name, policy: KillRound.policy, redisAtPort: isAtPort
                ) { stack in
                    try await killEach(of: stack, rounds: rounds, run: run, generator: &generator)
                }
                run.report("Redis at its \(isAtPort ? "port" : "socket file"): \(total)")
                #expect(total.sessions.count >= total.rounds)
            }
        }

        private func killEach(
            of stack: LatchkeyStack, rounds: Int, run: FaultRun, generator: inout SeededGenerator
        ) async throws -> Total {
            let round = KillRound(stack)
            var total = Total()
            for number in 0..<rounds {
                for victim in Self.victims {
                    let delay = generator.milliseconds(0...1_500)
                    let report = try await round.run(.kill(victim), after: delay)
                    for finding in report.findings { Issue.record("round \(number), \(finding)") }
                    total.add(report, victim)
                }
                if number % 10 == 9 { run.report("so far: \(total)") }
            }
            for session in try await round.unrefreshed(total.sessions) {
                Issue.record("session \(session) does not refresh at the end")
                total.findings += 1
            }
            return total
        }

        @Test func `no code is guessed at more often than allowed, whatever is killed`() async throws {
            try await guess(FaultRun("guesses", shortRounds: 2)) { body in
                try await LatchkeyStack.run(name: "GuessRounds") { try await body($0) }
            }
        }

        @Test func `no code that a provider makes is guessed at more often, whatever is killed`() async throws {
            try await guess(FaultRun("guesses", shortRounds: 1)) { body in
                let environment = ["LATCHKEY_FAKES": "1", "OTP_SENDER": "twilio-verify-managed"]
                try await LatchkeyStack.run(name: "GuessRounds-managed", environment: environment) { stack in
                    // The provider has compared the guess and takes its time to say so: kills fall before and after.
                    try await FakeProviders(of: stack).script(
                        #"[{"provider":"twilio-verify","at":"check","hang":0.1,"always":true}]"#)
                    try await body(stack)
                }
            }
        }

        private func guess(
            _ run: FaultRun, on stack: (@escaping (LatchkeyStack) async throws -> Void) async throws -> Void
        ) async throws {
            try await stack { stack in
                let round = GuessRound(stack)
                var generator = SeededGenerator(seed: run.seed)
                var (evaluated, findings) = (0, 0)
                for number in 1...max(run.rounds, 1) {
                    for faults in Self.guessFaults {
                        let report = try await round.run(faults, seed: generator.next())
                        for finding in report.findings { Issue.record("round \(number), \(finding)") }
                        evaluated += report.evaluated
                        findings += report.findings.count
                    }
                }
                run.report("\(evaluated) guesses evaluated, \(findings) findings")
                #expect(evaluated > 0)
            }
        }

        /// The result of a run so far.
        private struct Total: CustomStringConvertible {
            var rounds = 0
            var acknowledged = 0
            var findings = 0
            var slowest: (victim: String, recovery: Duration) = ("none", .zero)
            var sessions: [HeldSession] = []

            var description: String {
                "\(rounds) kills, \(acknowledged) operations acknowledged, \(sessions.count) sessions alive, "
                    + "\(findings) findings, longest recovery \(slowest.recovery) (\(slowest.victim))"
            }

            mutating func add(_ report: KillRound.Report, _ victim: String) {
                rounds += 1
                acknowledged += report.acknowledged
                findings += report.findings.count
                sessions += report.sessions
                if report.recovery > slowest.recovery { slowest = (victim, report.recovery) }
            }
        }
    }
}

import TestSupport
import Testing

extension Faults {
    /// Other passwords while their users log in, refresh and call, and while processes are killed.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct PasswordRounds {
        private static let victims = ["user", "token", "gateway", "redis"]
        /// Passwords on, the session that changes one spared, and no limit that so many logins at once would meet.
        private static let policy = [
            "trustedProxies: []":
                "trustedProxies: []\npasswords: { attempts: { perAccountAndNetwork: { max: 100, windowSeconds: 900 } } }",
            "registration: closed ": "registration: open ", "ends: all ": "ends: others ",
        ]

        @Test func `behind a new password lives the spared session alone, whatever is killed`() async throws {
            let run = FaultRun("passwords", shortRounds: 1)
            let policy = PolicyText.unlimitedRefreshes.merging(Self.policy) { $1 }
            try await LatchkeyStack.run(name: "PasswordRounds", policy: policy) { stack in
                let storm = PasswordStorm(stack: stack)
                var generator = SeededGenerator(seed: run.seed)
                var (storms, findings) = (0, 0)
                for number in 1...max(run.rounds, 1) {
                    // In the suite one fault, in the long run each.
                    let victims =
                        FaultRun.isLong
                        ? Self.victims
                        : [Self.victims.randomElement(using: &generator)]
                            .compactMap { $0 }
                    for kind in PasswordStorm.Kind.allCases {
                        for fault in [nil] + victims.map({ ProcessFault.kill($0) }) {
                            let found = try await storm.run(kind, fault, seed: generator.next())
                            for finding in found { Issue.record("round \(number), \(finding)") }
                            storms += 1
                            findings += found.count
                        }
                    }
                }
                run.report("\(storms) new passwords, \(findings) findings")
            }
        }
    }
}

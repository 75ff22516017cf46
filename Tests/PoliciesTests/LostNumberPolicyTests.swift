import Policies
import Testing

/// Numbers that users have lost, and numbers that may have other owners.
@Suite struct LostNumberPolicyTests {
    @Test func `the delay is a day, and production warns of none`() throws {
        let policy = try PolicyText.parse(PolicyText.minimal)
        #expect(policy.identityChange.supportDelayHours == 24 && policy.recycledNumbers.idleMonths == nil)
        let none = try PolicyText.parse(PolicyText.minimal + "identityChange: { supportDelayHours: 0 }\n")
        func warns(_ policy: Policy) -> Bool {
            policy.cautions(in: .production).contains { $0.contains("supportDelayHours") }
        }
        #expect(warns(none) && !warns(policy))
    }

    /// otp-service recognises networks for 90 days.
    @Test func `numbers are doubted after four months at the earliest`() throws {
        let four = try PolicyText.parse(PolicyText.minimal + "recycledNumbers: { idleMonths: 4 }\n")
        #expect(four.recycledNumbers.idleMonths == 4)
        #expect(PolicyText.findings(PolicyText.minimal + "recycledNumbers: { idleMonths: 3 }\n").count == 1)
    }

    @Test func `new devices are recorded and told only if the policy says so`() throws {
        #expect(try PolicyText.parse(PolicyText.minimal).anomalies == .off)
        for choice in AnomalyPolicy.allCases {
            let policy = try PolicyText.parse(PolicyText.minimal + "anomalies: \"\(choice.rawValue)\"\n")
            #expect(policy.anomalies == choice)
        }
        #expect(PolicyText.findings(PolicyText.minimal + "anomalies: mail\n").count == 1)
    }
}

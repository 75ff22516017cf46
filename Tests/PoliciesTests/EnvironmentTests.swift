import Policies
import Testing

@Suite struct EnvironmentTests {
    @Test func `a fixed code is refused in production alone`() throws {
        let policy = try PolicyText.parse(PolicyText.minimal + "otp: { fixedCode: \"123456\" }\n")
        #expect(policy.problems(in: .development).isEmpty && policy.problems(in: .uat).isEmpty)
        let problems = policy.problems(in: .production)
        #expect(problems.count == 1 && problems.first?.contains("otp.fixedCode") == true)
        #expect(problems.first?.contains("123456") == false)
    }

    @Test func `test numbers are refused in production alone`() throws {
        let line = "otp: { testNumbers: [ { phone: \"+15551234567\", code: \"123456\", until: \"2027-01-15\" } ] }"
        let policy = try PolicyText.parse(PolicyText.minimal + line + "\n")
        #expect(policy.problems(in: .uat).isEmpty)
        #expect(policy.problems(in: .production).count == 1)
        // 2027-01-15 is the day of Unix time 1,800,000,000; the day belongs to it.
        #expect(policy.otp.fixedCode(e164: "+15551234567", now: 1_800_057_599) == "123456")
        #expect(policy.otp.fixedCode(e164: "+15551234567", now: 1_800_057_600) == nil)
        #expect(policy.otp.fixedCode(e164: "+15551234568", now: 1_800_000_000) == nil)
    }

    @Test(arguments: ["0.0.0.0/0", "\"::/0\""])
    func `everybody is no trusted proxy in production`(_ block: String) throws {
        let policy = try PolicyText.parse(PolicyText.minimal + "trustedProxies: [\(block)]\n")
        #expect(policy.problems(in: .development).isEmpty)
        #expect(policy.problems(in: .production).count == 1)
    }

    @Test func `environments are known by their names in small letters`() {
        #expect(DeploymentEnvironment(rawValue: "uat") == .uat)
        #expect(DeploymentEnvironment(rawValue: "Production") == nil)
    }
}

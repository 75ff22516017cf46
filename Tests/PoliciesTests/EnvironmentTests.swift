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

import Policies
import Testing

@Suite struct EnvironmentTests {
    private static let phone = "+15551234567"
    private static let now: Int64 = 1_800_000_000

    private func fixedCode(
        _ otp: String, of phone: String = Self.phone, now: Int64 = Self.now, in environment: DeploymentEnvironment
    ) throws -> String? {
        let policy = try PolicyText.parse(PolicyText.minimal + "otp: { \(otp) }\n")
        #expect(DeploymentEnvironment.allCases.allSatisfy { policy.problems(in: $0).isEmpty }, "one file serves all")
        return policy.otp.fixedCode(e164: phone, now: now, in: environment)
    }

    @Test func `a fixed code holds where it says, and nowhere else`() throws {
        let line = "fixedCode: { code: \"123456\", environments: [uat] }"
        #expect(try fixedCode(line, in: .uat) == "123456")
        #expect(try fixedCode(line, in: .development) == nil)
        #expect(try fixedCode(line, in: .production) == nil)
    }

    @Test(arguments: [
        "fixedCode: { code: \"123456\"",
        "testNumbers: [ { phone: \"+15551234567\", code: \"123456\", until: \"2027-01-15\"",
    ])
    func `no code is known beforehand in production`(_ start: String) {
        let end = start.hasPrefix("test") ? " } ]" : " }"
        let findings = PolicyText.findings(PolicyText.minimal + "otp: { \(start), environments: [production]\(end) }\n")
        #expect(findings.count == 1 && findings.first?.contains("environments") == true)
        #expect(findings.first?.contains("Use development, uat") == true)
    }

    @Test func `a test number has its code to the end of its day, outside production`() throws {
        let line = "testNumbers: [ { phone: \"\(Self.phone)\", code: \"123456\", until: \"2027-01-15\" } ]"
        // 2027-01-15 is the day of Unix time 1,800,000,000; the day belongs to it.
        #expect(try fixedCode(line, now: 1_800_057_599, in: .uat) == "123456")
        #expect(try fixedCode(line, now: 1_800_057_600, in: .uat) == nil)
        #expect(try fixedCode(line, of: "+15551234568", in: .uat) == nil)
        #expect(try fixedCode(line, in: .development) == "123456")
        #expect(try fixedCode(line, in: .production) == nil)
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

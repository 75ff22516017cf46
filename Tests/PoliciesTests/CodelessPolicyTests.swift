import Policies
import Testing

/// `otp: none`: nobody signs in by phone.
@Suite struct CodelessPolicyTests {
    private static let without = PolicyText.minimal.replacing("countries:\n  allowed: all\n", with: "otp: none\n")

    @Test func `without codes the policy names no countries, and production warns of none`() throws {
        let policy = try PolicyText.parse(Self.without)
        #expect(!policy.sendsCodes && policy.cautions(in: .production).isEmpty)
        #expect(try PolicyText.parse(PolicyText.minimal).sendsCodes)
        #expect(try !PolicyText.parse(Self.without + "countries: { allowed: [\"+1\"] }\n").sendsCodes)
    }

    @Test func `with codes the countries are needed`() {
        let text = PolicyText.minimal.replacing("countries:\n  allowed: all\n", with: "otp: { length: 6 }\n")
        #expect(
            PolicyText.findings(text).map { $0.contains("countries is missing") || $0.contains("countries:") } == [true]
        )
    }

    @Test func `a dialect has no codes of its own either`() {
        let text = Self.without.replacing("profile: mobile }", with: "profile: mobile, otp: { length: 6 } }")
        let findings = PolicyText.findings(text)
        #expect(
            findings.count == 1 && findings.first?.contains("dialects[0].otp: is not allowed") == true, "\(findings)")
    }

    @Test(arguments: ["otp: nothing\n", "otp: []\n", "otp: 1\n"])
    func `any other word is refused`(line: String) {
        #expect(PolicyText.findings(PolicyText.minimal + line).count == 1)
    }
}

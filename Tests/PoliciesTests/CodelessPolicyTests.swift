import Policies
import Testing

/// `otp: none`: there is no sign-in by phone.
@Suite struct CodelessPolicyTests {
    private static let nobody = PolicyText.minimal.replacing("countries:\n  allowed: all\n", with: "otp: none\n")
    private static let without = nobody + "passwords: {}\n"

    @Test func `without codes the policy names no countries, and production warns of none`() throws {
        let policy = try PolicyText.parse(Self.without)
        #expect(!policy.sendsCodes && !policy.cautions(in: .production).contains { $0.contains("countries") })
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
            findings.count == 1 && findings.first?.contains("dialects[0].otp: does not go with otp: none") == true,
            "\(findings)")
    }

    @Test(arguments: ["", "passwords: none\n", "email: none\n"])
    func `without codes, mail and passwords nobody could sign in, which the line of the codes says`(rest: String) {
        let findings = PolicyText.findings(Self.nobody + rest)
        #expect(
            findings.count == 1 && findings.first?.hasPrefix("test.yaml:8: otp: none leaves users no way") == true,
            "\(findings)")
    }

    @Test(arguments: ["passwords: {}\n", "email: {}\n"])
    func `either of both is a way in`(rest: String) {
        #expect(PolicyText.findings(Self.nobody + rest).isEmpty)
    }

    @Test(arguments: ["voltyks", "gremlin", "uta"])
    func `a dialect of passwords alone needs them, whatever else there is`(name: String) {
        let dialects = "dialects:\n  - { name: \(name), profile: mobile }"
        for others in [PolicyText.minimal, Self.nobody + "email: {}\n"] {
            let text = others.replacing("dialects:", with: dialects)
            let findings = PolicyText.findings(text)
            #expect(
                findings.count == 1
                    && findings.first?.contains(": dialects[0]: \(name) signs users in by password") == true,
                "\(findings)")
            #expect(PolicyText.findings(text + "passwords: {}\n").isEmpty)
        }
    }

    @Test(arguments: ["otp: nothing\n", "otp: []\n", "otp: 1\n"])
    func `any other word is refused`(line: String) {
        #expect(PolicyText.findings(PolicyText.minimal + line).count == 1)
    }
}

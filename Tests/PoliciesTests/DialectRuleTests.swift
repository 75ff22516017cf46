import Policies
import Testing

/// Rules that a dialect has over the policy's.
@Suite struct DialectRuleTests {
    private static func text(_ dialect: String, otp: String = "lifetimeSeconds: 120, length: 6") -> String {
        PolicyText.minimal.replacing(
            "  - { name: native, profile: mobile }",
            with: "  - { name: native, profile: mobile }\n  - { name: aarokya, profile: mobile, \(dialect) }")
            + "otp: { \(otp) }\ndefaultRegion: US\n"
    }

    private static func dialects(_ dialect: String) throws -> (native: Dialect, aarokya: Dialect) {
        let policy = try PolicyText.parse(text(dialect))
        return (
            try #require(policy.dialects.first { $0.name == "native" }),
            try #require(policy.dialects.first { $0.name == "aarokya" })
        )
    }

    @Test func `a dialect's own keys lie over the policy's, which hold where it is silent`() throws {
        let (native, aarokya) = try Self.dialects(
            "defaultRegion: IN, otp: { lifetimeSeconds: 600, lockouts: [], attemptsPerChallenge: 3 }")
        #expect(aarokya.defaultRegion == "IN" && native.defaultRegion == "US")
        #expect(aarokya.otp.lifetimeSeconds == 600 && native.otp.lifetimeSeconds == 120)
        #expect(aarokya.otp.lockouts == [] && native.otp.lockouts == OTPPolicy().lockouts)
        #expect(aarokya.otp.attemptsPerChallenge == 3 && native.otp.attemptsPerChallenge == 5)
        #expect(aarokya.otp.sendsPerRecipient == native.otp.sendsPerRecipient)
    }

    @Test func `a dialect without rules has the policy's`() throws {
        let (native, aarokya) = try Self.dialects("host: a.example")
        #expect(aarokya.otp == native.otp && aarokya.defaultRegion == "US")
    }

    @Test(arguments: [
        ("otp: { lifetimeSeconds: 601 }", "dialects[1].otp.lifetimeSeconds"), ("otp: { zz: 1 }", "dialects[1].otp.zz"),
        ("otp: none", "dialects[1].otp"), ("defaultRegion: XX", "dialects[1].defaultRegion"),
        (
            "otp: { fixedCode: { code: \"123456\", environments: [production] } }",
            "dialects[1].otp.fixedCode.environments"
        ),
    ])
    func `what is wrong is named with its key`(line: String, key: String) {
        let findings = PolicyText.findings(Self.text(line))
        #expect(findings.count == 1 && findings.first?.contains(" \(key)") == true, "\(findings)")
    }

    @Test func `a length of its own needs codes of that length`() {
        let fixed = "fixedCode: { code: \"123456\", environments: [uat] }"
        #expect(PolicyText.findings(Self.text("otp: { length: 8 }", otp: fixed)).count == 1)
        let own = "otp: { length: 8, fixedCode: { code: \"12345678\", environments: [uat] } }"
        #expect(PolicyText.findings(Self.text(own, otp: fixed)).isEmpty)
    }

    @Test func `aarokya's policy has the numbers of its document`() throws {
        let policy = try Policy.load(named: "aarokya", directory: PolicyText.policiesDirectory())
        let profile = try #require(policy.profile(forDialect: "aarokya"))
        #expect(profile.algorithm == "HS256" && profile.accessLifetimeSeconds == 86_400)
        #expect(profile.claims == ["user_id"])
        #expect(profile.refresh.prefix.isEmpty && profile.refresh.idleLifetimeSeconds == 2_592_000)
        #expect(profile.refresh.absoluteLifetimeSeconds == nil && profile.refresh.limit == nil)
        #expect(profile.refresh.onReuse == .revoke && profile.refresh.repeatWithoutKeySeconds == 0)
        #expect(policy.otp.length == 6 && policy.otp.lifetimeSeconds == 600 && policy.otp.attemptsPerChallenge == 5)
        #expect(policy.otp.lockouts.isEmpty && policy.countries.allowedPrefixes == ["+91"])
        #expect(policy.otp.fixedCode(e164: "+919876543210", now: 0, in: .uat) == "123456")
        #expect(policy.otp.fixedCode(e164: "+919876543210", now: 0, in: .production) == nil)
        #expect(DeploymentEnvironment.allCases.allSatisfy { policy.problems(in: $0).isEmpty })
    }
}

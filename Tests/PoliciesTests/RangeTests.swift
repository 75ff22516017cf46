import Policies
import Testing

@Suite struct RangeTests {
    @Test(arguments: [
        ("accessLifetimeSeconds: 86400", true), ("accessLifetimeSeconds: 86401", false),
        ("accessLifetimeSeconds: 59", false),
        ("refresh: { lateRepeatsMax: 1 }", false), ("refresh: { lateRepeatsMax: 2 }", true),
        ("refresh: { lateRepeatsMax: none }", true), ("refresh: { lateRepeatsMax: 1001 }", false),
        ("refresh: { repeatWithoutKeySeconds: 600 }", true), ("refresh: { repeatWithoutKeySeconds: 601 }", false),
        ("refresh: { idleLifetimeSeconds: 7776001 }", false), ("refresh: { absoluteLifetimeSeconds: none }", true),
        ("refresh: { absoluteLifetimeSeconds: 31536001 }", false),
        ("refresh: { absoluteLifetimeSeconds: 2591999 }", false),
        ("refresh: { absoluteLifetimeSeconds: 2592000 }", true), ("refresh: { limit: none }", true),
        ("refresh: { limit: { max: 0, windowSeconds: 60 } }", false), ("refresh: { limit: { max: 10 } }", false),
        ("refresh: { prefix: rt_ }", true), ("refresh: { prefix: \"rt \" }", false),
        ("refresh: { prefix: 12345678901234567 }", false),
        ("refresh: { onReuse: refuse }", true), ("refresh: { onReuse: ignore }", false),
        ("claims: [phone, email, role, user_id]", true), ("claims: [password]", false),
        ("claims: [phone, phone]", false),
        ("claims: [sub]", false), ("claims: phone", false), ("claims: []", true),
    ])
    func `a profile's line is allowed or not`(_ line: String, _ isAllowed: Bool) {
        let text = PolicyText.minimal.replacing("algorithm: RS256", with: "algorithm: RS256\n    \(line)")
        #expect(PolicyText.findings(text).isEmpty == isAllowed, "\(PolicyText.findings(text))")
    }

    @Test(arguments: [
        ("message: \"Code {code}\"", true), ("message: \"No code\"", false), ("message: \"{code} {code}\"", false),
        ("message: \"Code\\n{code}\"", false),
        ("fixedCode: { code: \"123456\", environments: [uat] }", true),
        ("fixedCode: \"123456\"", false),
        ("fixedCode: { code: \"12345\", environments: [uat] }", false),
        ("fixedCode: { code: \"12345a\", environments: [uat] }", false),
        ("fixedCode: { code: \"１２３４５６\", environments: [uat] }", false),
        ("fixedCode: { code: \"123456\", environments: [] }", false), ("fixedCode: { code: \"123456\" }", false),
        ("lockouts: []", true),
        ("sendsPerPhone: []", false), ("sendsPerPhone: [ { max: 3 } ]", false), ("sendsPerPhone: 3", false),
        ("sendsPerPhone: [ { max: 3, windowSeconds: 3600 }, { max: 10, windowSeconds: 86400 } ]", true),
        ("sendsPerPhone: [ { max: 3, windowSeconds: 604801 } ]", false),
        ("sendsPerPhone: [ { max: 20, windowSeconds: 3600 } ]", true),
        ("sendsPerPhone: [ { max: 21, windowSeconds: 3600 } ]", false),
        ("attemptsPerPhone: [ { max: 21, windowSeconds: 3600 } ]", false),
        ("sendsPerPrefix: []", true), ("sendsPerPrefix: [ { max: 5, windowSeconds: 60 } ]", true),
        ("sendsForKnownPercent: 0", true), ("sendsForKnownPercent: 91", false),
        ("sendsPerCountry: [ { max: 1000001, windowSeconds: 60 } ]", false), ("sendsInTotal: none", false),
        ("testNumbers: [ { phone: \"+15551234567\", code: \"123456\", until: \"2026-12-31\" } ]", true),
        ("testNumbers: [ { phone: \"5551234567\", code: \"123456\", until: \"2026-12-31\" } ]", false),
        ("testNumbers: [ { phone: \"+15551234567\", code: \"12345\", until: \"2026-12-31\" } ]", false),
        ("testNumbers: [ { phone: \"+15551234567\", code: \"123456\" } ]", false),
        ("testNumbers: [ { phone: \"+15551234567\", code: \"123456\", until: \"2026-02-29\" } ]", false),
        ("testNumbers: [ { phone: \"+15551234567\", code: \"123456\", until: \"2028-02-29\" } ]", true),
        ("testNumbers: [ { phone: \"+15551234567\", code: \"123456\", until: \"tomorrow\" } ]", false),
        ("lockouts: [ { failures: 5, withinSeconds: 3600, lockSeconds: 59 } ]", false),
        ("lockouts: [ { failures: 0, withinSeconds: 3600, lockSeconds: 60 } ]", false),
    ])
    func `a line of otp is allowed or not`(_ line: String, _ isAllowed: Bool) {
        let findings = PolicyText.findings(PolicyText.minimal + "otp:\n  \(line)\n")
        #expect(findings.isEmpty == isAllowed, "\(findings)")
    }

    @Test func `a refused fixed code is not shown`() {
        let findings = PolicyText.findings(PolicyText.minimal + "otp: { fixedCode: \"98765\" }\n")
        #expect(findings.count == 1 && findings.first?.contains("98765") == false)
        #expect(
            PolicyText.findings(PolicyText.minimal + "otp: { fixedCode: 987654 }\n").first?.contains("987654") == false)
    }

    @Test(arguments: [
        ("messages: { appDomain: howru.app }", true), ("messages: { appDomain: HowRU.app }", false),
        ("messages: { appDomain: \"https://howru.app\" }", false), ("messages: { appDomain: localhost }", false),
        ("messages: { appDomain: a..b }", false), ("messages: { appDomain: -a.b }", false),
        ("trustedProxies: [10.0.0.0/8, \"2001:db8::/32\", 192.0.2.1]", true), ("trustedProxies: [10.0.0.1/8]", false),
        ("trustedProxies: [\"10.0.0.0/33\"]", false), ("trustedProxies: [proxy.local]", false),
        ("userIDPrefix: \"usr-\"", true), ("userIDPrefix: \"usr \"", false), ("defaultRegion: us", false),
        ("defaultRegion: XX", false), ("audit: { refresh: full }", true), ("audit: { refresh: none }", false),
        ("deletion: { onSignIn: newAccount }", true), ("deletion: { onSignIn: newaccount }", false),
    ])
    func `another line is allowed or not`(_ line: String, _ isAllowed: Bool) {
        let findings = PolicyText.findings(PolicyText.minimal + line + "\n")
        #expect(findings.isEmpty == isAllowed, "\(findings)")
    }

    @Test func `profiles and dialects must fit each other`() {
        let unknown = PolicyText.minimal.replacing("profile: mobile }", with: "profile: web }")
        let expected = "test.yaml:7: dialects[0].profile: web is not allowed. Use mobile."
        #expect(PolicyText.findings(unknown) == [expected])
        let twice = PolicyText.minimal.replacing(
            "- { name: native, profile: mobile }",
            with: "- { name: native, profile: mobile }\n  - { name: native, profile: mobile }")
        #expect(PolicyText.findings(twice).first?.contains("contains a dialect twice") == true)
        let foreign = PolicyText.minimal.replacing("name: native", with: "name: esperanto")
        #expect(PolicyText.findings(foreign).contains { $0.contains("esperanto is not allowed. Use native") })
    }

    @Test(arguments: [
        ("host: api.example.com", nil), ("host: API.example.com", "host: API.example.com is not allowed"),
        ("host: \"api.example.com:80\"", "is not allowed"), ("host: 7", "dialects[0].host"),
    ])
    func `a dialect's host is a name without port`(_ line: String, _ finding: String?) {
        let text = PolicyText.minimal.replacing("profile: mobile }", with: "profile: mobile, \(line) }")
        let findings = PolicyText.findings(text)
        #expect(findings.isEmpty == (finding == nil), "\(findings)")
        if let finding { #expect(findings.first?.contains(finding) == true, "\(findings)") }
    }

    @Test func `a route's refusals have the shape of a dialect that is spoken`() {
        func route(_ dialect: String) -> String {
            PolicyText.minimal + """
                upstreams: { app: $LATCHKEY_UPSTREAM }
                routes:
                  - { path: /api/**, upstream: app, access: bearer, dialect: \(dialect) }

                """
        }
        #expect(PolicyText.findings(route("native")) == [])
        #expect(PolicyText.findings(route("esperanto")).first?.contains("Use native.") == true)
    }
}

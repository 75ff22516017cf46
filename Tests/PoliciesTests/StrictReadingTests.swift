import Policies
import Testing

@Suite struct StrictReadingTests {
    @Test func `the least policy has the defaults of the guide`() throws {
        let policy = try PolicyText.parse(PolicyText.minimal)
        #expect(policy.name == "test")
        #expect(policy.otp == OTPPolicy() && policy.edge == EdgePolicy() && policy.deletion == DeletionPolicy())
        #expect(policy.routes.isEmpty && policy.upstreams.isEmpty && policy.userIDPrefix.isEmpty)
        #expect(policy.profile(forDialect: "native")?.refresh == RefreshPolicy())
    }

    @Test func `a fault is named with file, line, key path and what is allowed`() {
        let text = PolicyText.minimal + "otp:\n  length: 6\n  lifetimeSeconds: 900\n"
        #expect(
            PolicyText.findings(text) == ["test.yaml:12: otp.lifetimeSeconds: 900 is not allowed. Use 30 to 600."])
    }

    @Test func `all faults are named at once, in the order of the file`() {
        let text = """
            issuer: ""
            otp: { length: 9, attemptsPerChallenge: "5" }
            profiles: { mobile: { algorithm: none } }
            dialects: []
            """
        #expect(
            PolicyText.findings(text) == [
                "test.yaml:1: issuer: \"\" is not allowed. Use 1 to 256 visible ASCII characters.",
                "test.yaml:1: audience: is missing. Add, for example, audience: my-app (deploy/docs/reference/policy.md).",
                "test.yaml:1: countries: is missing. Add, for example, countries: { allowed: [\"+1\", \"+49\"] } "
                    + "(deploy/docs/run/phone-numbers.md).",
                "test.yaml:2: otp.length: 9 is not allowed. Use 6 to 8.",
                "test.yaml:2: otp.attemptsPerChallenge: \"5\" is not allowed. Use 1 to 5.",
                "test.yaml:3: profiles.mobile.algorithm: none is not allowed. Use RS256, ES256, EdDSA or HS256.",
                "test.yaml:4: dialects: 0 entries are not allowed. Use 1 to 8.",
            ])
    }

    @Test func `an unknown key is refused in every section`() {
        let text = PolicyText.minimal + "otp:\n  lenght: 6\nsurprise: 1\n"
        let findings = PolicyText.findings(text)
        #expect(findings.count == 2)
        #expect(
            findings.first?.hasPrefix(
                "test.yaml:11: otp.lenght: unknown key. Did you mean length? Keys of otp (deploy/docs/reference/policy.md): length, lifetimeSeconds"
            )
                == true)
        #expect(
            findings.last?.hasPrefix(
                "test.yaml:12: surprise: unknown key. Keys of a policy (deploy/policies/howru.yaml): issuer, audience")
                == true)
    }

    @Test(arguments: ["otp:\n  length: 6\n  length: 7\n", "otp: { length: 6, \"length\": 6 }\n"])
    func `a key that stands twice is refused`(_ lines: String) throws {
        let findings = PolicyText.findings(PolicyText.minimal + lines)
        let finding = try #require(findings.first)
        #expect(finding.hasPrefix("test.yaml:1") && finding.contains("the key length is there twice"))
    }

    @Test(arguments: [
        "1e1", "0x6", "0o6", "06", "6.0", "+6", "6_0", "\"6\"", "six", "true", "~", "", "[6]", "{ a: 6 }", "-6",
        "2024-01-01",
        "99999999999999999999999999",
    ])
    func `an integer is written in decimal digits alone`(_ value: String) {
        let findings = PolicyText.findings(PolicyText.minimal + "otp:\n  length: \(value)\n")
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("test.yaml:11: otp.length: ") == true)
        #expect(findings.first?.hasSuffix("is not allowed. Use 6 to 8.") == true, "\(findings)")
    }

    @Test(arguments: ["yes", "no", "on", "1", "TRUE", "\"true\"", "[]"])
    func `a truth value is true or false`(_ value: String) {
        let text = PolicyText.minimal.replacing(
            "algorithm: RS256", with: "algorithm: RS256\n    refresh: { sliding: \(value) }")
        #expect(PolicyText.findings(text).first?.hasSuffix("is not allowed. Use true or false.") == true)
    }

    @Test(arguments: ["NO", "1", "true", "1.5", "2024-01-01", "~"])
    func `a text that YAML takes for something else wants quotes`(_ value: String) {
        let findings = PolicyText.findings(PolicyText.minimal + "defaultRegion: \(value)\n")
        #expect(findings.count == 1)
        #expect(findings.first?.contains("is not text for YAML; put it in quotes") == true, "\(findings)")
    }

    @Test func `Norway is a region in quotes`() throws {
        #expect(try PolicyText.parse(PolicyText.minimal + "defaultRegion: \"NO\"\n").defaultRegion == "NO")
    }

    @Test(arguments: [
        "otp: &shared\n  length: 6\n", "otp: { message: &text \"Code {code}\" }\n",
        "deletion: &d { graceDays: 3 }\naudit: *d\n",
    ])
    func `anchors and aliases are refused`(_ lines: String) {
        let findings = PolicyText.findings(PolicyText.minimal + lines)
        #expect(
            findings.count == 1 && findings.first?.hasSuffix("anchors and aliases are not allowed") == true,
            "\(findings)")
    }

    @Test(arguments: ["!!int \"6\"", "!!str 6", "! 6", "!mine [6]", "!!map { a: 6 }"])
    func `tags are refused`(_ value: String) {
        let findings = PolicyText.findings(PolicyText.minimal + "otp:\n  length: \(value)\n")
        #expect(findings == ["test.yaml:11: tags such as !!str are not allowed"])
    }

    @Test func `nesting is bounded, however deep the text goes`() {
        let deep = PolicyText.minimal + "otp: " + String(repeating: "[", count: 900)
        #expect(PolicyText.findings(deep) == ["test.yaml:10: sections are nested too deep. Use at most 16 levels."])
        let keys = (0..<20).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        #expect(PolicyText.findings(keys) == ["test.yaml:17: sections are nested too deep. Use at most 16 levels."])
    }

    @Test func `a key that stands twice is named with its second line`() {
        let findings = PolicyText.findings(PolicyText.minimal + "otp:\n  length: 6\n  length: 7\n")
        #expect(findings == ["test.yaml:12: the key length is there twice. Name each key once."])
    }

    @Test func `merge keys are refused`() {
        #expect(
            PolicyText.findings(PolicyText.minimal + "otp: { <<: { length: 8 } }\n") == [
                "test.yaml:10: merge keys (<<) are not allowed. Write the keys in each section."
            ])
    }

    @Test func `a policy may be JSON, in which words have quotes`() throws {
        let policy = try PolicyText.parse(
            """
            {"issuer": "a", "audience": "a", "profiles": {"mobile": {"algorithm": "RS256", "refresh": {"limit": "none"}}},
             "dialects": [{"name": "native", "profile": "mobile"}], "countries": {"allowed": "all"}, "cors": "none",
             "upstreams": {"app": "http://127.0.0.1:3000"},
             "routes": [{"path": "/api/**", "upstream": "app", "access": "bearer"}]}
            """)
        #expect(policy.crossOrigin == nil && policy.routes.first?.access == .bearer)
        #expect(policy.profile(forDialect: "native")?.refresh.limit == nil)
    }

    @Test func `the name and password of a URL are not shown`() {
        let findings = PolicyText.findings(PolicyText.minimal + "upstreams: { app: \"http://a:b@c@127.0.0.1:3000\" }\n")
        #expect(findings.first?.hasPrefix("test.yaml:10: upstreams.app: \"http://…@127.0.0.1:3000\" is not") == true)
    }

    @Test(arguments: [
        "", "\n", "# nothing\n", "- a\n", "text", "1", "a: [", "a: b: c", "\ta: 1", "a: 1\n---\nb: 2\n", "? [a]\n: b\n",
        "1: 2\n",
        "%YAML 9.9\n---\na: 1\n", "a: \"\u{1}\"", "\u{FEFF}", "!!binary aGk=",
    ])
    func `what is no policy is refused with one sentence`(_ text: String) {
        #expect(!PolicyText.findings(text).isEmpty)
    }

    @Test func `a value is shown short and on one line`() throws {
        let text = PolicyText.minimal + "deletion: { onSignIn: \"\(String(repeating: "x", count: 5_000))\\n\" }\n"
        let finding = try #require(PolicyText.findings(text).first)
        #expect(finding.utf8.count < 200 && !finding.contains("\n"))
    }
}

import Policies
import Testing

/// The sections `passkeys` and `mfa`: what is refused when they are read, and what only the URL of the deployment shows.
@Suite struct PasskeyPolicyTests {
    private static let url = PublicURL("https://auth.example.com")

    private static func policy(_ passkeys: String) throws -> Policy {
        try PolicyText.parse(PolicyText.minimal + "passkeys: \(passkeys)\n")
    }

    private func problems(
        _ passkeys: String, at url: PublicURL? = Self.url, in environment: DeploymentEnvironment = .production
    ) throws -> [String] {
        try Self.policy(passkeys).passkeyProblems(publicURL: url, in: environment)
    }

    @Test func `both are off without their sections`() throws {
        let none = try PolicyText.parse(PolicyText.minimal)
        #expect(none.passkeys == nil && none.mfa == nil && none.passkeyProblems(publicURL: nil, in: .production) == [])
        let words = try PolicyText.parse(PolicyText.minimal + "passkeys: none\nmfa: none\n")
        #expect(words.passkeys == nil && words.mfa == nil)
    }

    @Test func `an empty section has the defaults of the design`() throws {
        let policy = try PolicyText.parse(PolicyText.minimal + "passkeys: {}\nmfa: {}\n")
        let passkeys = try #require(policy.passkeys)
        #expect(passkeys == PasskeyPolicy() && passkeys.userVerification == .required)
        #expect(passkeys.perUserMax == 10 && passkeys.addDelayHours == 24)
        #expect(!passkeys.signUp && !passkeys.restoreKeys)
        #expect(policy.mfa?.totp == true && policy.mfa?.requiredForRoles == [])
        #expect(policy.relyingPartyID(publicURL: Self.url) == "auth.example.com")
        #expect(policy.relyingPartyID(publicURL: PublicURL("https://Auth.Example.com:8443/a")) == "auth.example.com")
    }

    @Test(arguments: [
        "rpID: 192.0.2.1", "rpID: \"::1\"", "rpID: intranet", "rpID: Example.com", "rpID: https://example.com",
        "rpID: example.com.", "rpID: .example.com", "rpID: \"example.com:443\"", "rpID: \"\"",
        "origins: [http://app.example.com]", "origins: [https://app.example.com/]",
        "origins: [https://App.example.com]", "origins: [\"https://app.example.com:443\"]",
        "origins: [\"https://app.example.com:0443\"]", "origins: [\"http://localhost:80\"]",
        "origins: [https://192.0.2.1]", "origins: [\"https://[2001:db8::1]\"]", "origins: [app.example.com]",
        "origins: [https://a@app.example.com]", "origins: [\"https://app.example.com?a\"]", "origins: [\"*\"]",
        "relatedOrigins: [https://example.org/path]", "perUserMax: 0", "perUserMax: 51", "addDelayHours: -1",
        "userVerification: discouraged", "rpId: example.com",
    ])
    func `a value that no browser could match, or outside its limits, is refused`(_ line: String) {
        #expect(PolicyText.findings(PolicyText.minimal + "passkeys: { \(line) }\n").count == 1)
    }

    @Test func `of each kind of origins there are at most sixteen`() throws {
        for key in ["origins", "relatedOrigins"] {
            func text(_ count: Int) -> String {
                "{ \(key): [\((1...count).map { "\"https://a\($0).example.com\"" }.joined(separator: ", "))] }"
            }
            #expect(throws: Never.self) { try Self.policy(text(16)) }
            #expect(PolicyText.findings(PolicyText.minimal + "passkeys: \(text(17))\n").count == 1)
        }
        #expect(throws: Never.self) { try Self.policy("{ perUserMax: 50 }") }
    }

    @Test func `an origin has to be on the relying party's domain, or related`() throws {
        #expect(try problems("{ rpID: example.com, origins: [https://example.com, https://a.b.example.com] }") == [])
        for foreign in ["https://example.org", "https://badexample.com", "https://example.com.evil.org", "https://com"]
        {
            #expect(try problems("{ rpID: example.com, origins: [\"\(foreign)\"] }").count == 1)
            let related = "{ rpID: example.com, origins: [\"\(foreign)\"], relatedOrigins: [\"\(foreign)\"] }"
            #expect(try problems(related) == [])
        }
        // A parent of the relying party is not on its domain.
        #expect(try problems("{ origins: [https://example.com] }").count == 1)
    }

    @Test func `the host of the deployment is judged like an rpID of the file`() throws {
        #expect(try problems("{}") == [])
        #expect(try problems("{}", at: nil).first?.contains("LATCHKEY_PUBLIC_URL") == true)
        for url in ["http://192.168.1.20:8080", "http://[::1]:8080", "https://gateway"] {
            #expect(try problems("{}", at: PublicURL(url), in: .development).count == 1)
        }
        #expect(try problems("{ rpID: example.com }", at: nil) == [])
    }

    @Test func `localhost is for development`() throws {
        let local = "{ rpID: localhost, origins: [\"http://localhost:5173\"] }"
        #expect(try problems(local, in: .development) == [])
        #expect(try problems(local).count == 2)
        #expect(try problems("{ rpID: example.com, relatedOrigins: [\"http://localhost:5173\"] }").count == 1)
    }

    /// Browsers count the labels before the public suffix (L3 §5.11).
    @Test func `a sixth domain among the related origins is a warning`() throws {
        func cautions(_ origins: [String]) throws -> Int {
            let list = origins.map { "\"https://\($0)\"" }.joined(separator: ", ")
            return try Self.policy("{ relatedOrigins: [\(list)] }").cautions(in: .development).count {
                $0.contains("relatedOrigins")
            }
        }
        let five = ["a.example", "b.example", "c.example", "d.example", "e.example"]
        #expect(try cautions(five) == 0)
        #expect(try cautions(five + ["www.a.example", "a.co.uk", "a.com"]) == 0)
        #expect(try cautions(five + ["f.example"]) == 1)
    }

    @Test func `certificates of Android apps are read as bytes`() throws {
        let hex = (0..<32).map { $0 < 31 ? "0A" : "FF" }.joined(separator: ":")
        let policy = try PolicyText.parse(
            PolicyText.minimal + "apps: { android: [{ package: com.example.app, sha256: [\"\(hex)\"] }] }\n")
        #expect(policy.apps.certificateHashes == [[UInt8](repeating: 10, count: 31) + [255]])
    }
}

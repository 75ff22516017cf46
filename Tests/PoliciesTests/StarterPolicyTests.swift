import FoundationEssentials
import Testing

@testable import Policies

/// The default policy, and the app's name in the texts of all policies.
@Suite struct StarterPolicyTests {
    private static let folder = PolicyText.policiesDirectory()

    private static func load(_ name: String = Policy.defaultName, appName: String? = nil) throws -> Policy {
        try Policy.load(named: name, directory: folder, appName: appName)
    }

    @Test func `it names nobody, speaks the native API alone, and sends codes and mails but knows no passwords`() throws
    {
        let policy = try Self.load()
        #expect(policy.name == "starter" && policy.issuer == "latchkey" && policy.audience == "latchkey")
        #expect(policy.dialects.map(\.name) == [Dialect.native] && policy.attributes.isEmpty)
        #expect(policy.sendsCodes && policy.email == EmailPolicy())
        #expect(policy.passwords == nil && policy.apple == nil && policy.oidc.isEmpty)
        #expect(policy.routes.map(\.path) == ["/api/**"] && policy.upstreams == ["app": Upstream()])
        #expect(DeploymentEnvironment.allCases.allSatisfy { policy.problems(in: $0).isEmpty })
    }

    @Test func `LATCHKEY_APP_NAME names the app in texts, and without it Latchkey does`() throws {
        for (given, name) in [(nil, "Latchkey"), ("", "Latchkey"), ("Acme", "Acme")] {
            let policy = try Self.load(appName: given)
            #expect(policy.messages.appName == name)
            let texts = SMSTexts(
                policy, otp: policy.otp, catalog: try MessageCatalog.load(policy, directory: Self.folder))
            #expect(
                texts.message(code: "472918", wanted: nil, appHash: nil)
                    == "Your \(name) code is 472918. Never share it.")
        }
        #expect(try Self.load("aarokya", appName: "Acme").messages.appName == "Acme", "it has no section messages")
        #expect(try Self.load("howru", appName: "Acme").messages.appName == "HowRU", "a policy's own name stays")
    }

    @Test(arguments: ["two\nlines", String(repeating: "N", count: 65)])
    func `a name that fits no message is refused with its variable`(name: String) {
        let error = #expect(throws: PolicyError.self) { try Self.load(appName: name) }
        #expect(error?.description.hasPrefix("LATCHKEY_APP_NAME: ") == true)
    }

    @Test func `a dialect's own text names the app too`() throws {
        let policy = try PolicyText.parse(
            PolicyText.minimal.replacing(
                "profile: mobile }", with: "profile: mobile, otp: { message: \"{code}: {app}\" } }")
                + "otp: { message: \"{app} {code} {app}\" }\nmessages: { appName: Acme }\n")
        #expect(policy.otp.messageTemplate == "Acme {code} Acme")
        #expect(policy.dialects.map(\.otp.messageTemplate) == ["{code}: Acme"])
    }

    @Test(arguments: [
        (String(repeating: "N", count: 64), 38), (String(repeating: "ع", count: 20), 42), ("Acme", 97),
    ])
    func `the app's name counts in the length of a text`(name: String, rest: Int) {
        func findings(_ length: Int, _ at: String = "otp") -> [String] {
            let otp = "{ message: \"{app} {code} \(String(repeating: "x", count: length))\" }"
            let text = "messages: { appName: \"\(name)\" }\n"
            guard at != "otp" else { return PolicyText.findings(PolicyText.minimal + "otp: \(otp)\n" + text) }
            return PolicyText.findings(
                PolicyText.minimal.replacing("profile: mobile }", with: "profile: mobile, otp: \(otp) }") + text)
        }
        #expect(findings(rest).isEmpty && findings(rest, "dialects").isEmpty, "\(findings(rest))")
        let long = findings(rest + 1)
        #expect(long.count == 1 && long[0].contains("otp.message"), "\(long)")
        #expect(findings(rest + 1, "dialects").count == 1)
    }

    @Test func `with the longest name it fits one message in each form`() throws {
        let hash =
            "apps: { android: [{ package: a.b, sha256: [\"\(Array(repeating: "AB", count: 32).joined(separator: ":"))\"], "
            + "smsHash: FA+9qCX9VSu }] }\n"
        let starter = try String(contentsOfFile: Self.folder + "/starter.yaml", encoding: .utf8)
        let text = starter.replacing("  # appName: My App ", with: "  appDomain: auth.example.com # ") + hash
        let policy = try Policy.parse(text, file: "starter.yaml", appName: String(repeating: "N", count: 64))
        #expect(policy.messages.appDomain == "auth.example.com" && policy.apps.android.count == 1)
    }

    // MARK: - Examples' names

    @Test func `production is warned of names that are an example's, one by one`() throws {
        func keys(_ policy: Policy) -> [String] {
            policy.cautions(in: .production).filter { $0.contains("an example's") }.compactMap {
                $0.split(separator: " ").dropFirst().first.map(String.init)
            }
        }
        #expect(try keys(Self.load()) == ["issuer", "audience", "messages.appName"])
        #expect(try keys(Self.load(appName: "Acme")) == ["issuer", "audience"])
        #expect(try keys(Self.load("howru")) == ["issuer", "audience", "messages.appName"])
        let own = PolicyText.minimal.replacing("example-api", with: "acme-api") + "messages: { appName: Acme }\n"
        #expect(try keys(PolicyText.parse(own)).isEmpty)
        #expect(try Self.load().cautions(in: .uat).isEmpty)
    }

    @Test func `the names of every policy that ships are known as an example's`() throws {
        var count = 0
        for folder in [Self.folder, Self.folder + "/examples"] {
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".yaml") {
                let policy = try Policy.load(named: "\(folder)/\(file)", directory: Self.folder)
                let names: Set = [policy.issuer, policy.audience, policy.messages.appName]
                #expect(names.isSubset(of: Policy.exampleValues), "\(file)")
                count += 1
            }
        }
        #expect(count == 9)
    }
}

import FoundationEssentials
import Policies
import Testing

@testable import ControlCore

@Suite struct PolicyCheckTests {
    /// The repository's policies, found from this file, wherever the tests run.
    private let variables = [
        "LATCHKEY_POLICIES_DIR": #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
            + "/deploy/policies"
    ]

    /// Runs `body` with the path of a file that holds `text`.
    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).yaml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: path) } }
        try body(path)
    }

    private func failure(_ named: String?, _ also: [String: String] = [:]) -> String? {
        #expect(throws: CommandFailure.self) {
            try PolicyCheck.check(named, in: nil, variables: variables.merging(also) { $1 })
        }?.description
    }

    /// howru with proxies at every address, which development takes and production does not.
    private func withProxiesEverywhere() throws -> String {
        let text = try String(
            contentsOfFile: (variables["LATCHKEY_POLICIES_DIR"] ?? "") + "/howru.yaml", encoding: .utf8)
        return text.replacing("trustedProxies: []", with: "trustedProxies: [0.0.0.0/0]")
    }

    @Test func `starter is what is checked when nothing is named, and it is fine`() throws {
        let report = try PolicyCheck.check(nil, in: .uat, variables: variables)
        #expect(report.verdict == "starter: ok" && report.warnings.isEmpty)
    }

    @Test func `an rpID of another host than the gateway's lists what that host has to serve`() throws {
        let starter = try String(
            contentsOfFile: (variables["LATCHKEY_POLICIES_DIR"] ?? "") + "/starter.yaml", encoding: .utf8)
        func files(_ passkeys: String) throws -> [String] {
            var files: [String] = []
            try withFile(starter + "\n\(passkeys)\n") { path in
                let url = ["LATCHKEY_PUBLIC_URL": "https://auth.example.com"]
                files = try PolicyCheck.check(path, in: .uat, variables: variables.merging(url) { $1 }).files
            }
            return files
        }
        #expect(try files("passkeys: { relatedOrigins: [https://example.org] }") == [])
        let parent = try files("passkeys: { rpID: example.com, relatedOrigins: [https://example.org] }")
        #expect(
            parent.count == 1 && parent.first?.hasPrefix("https://example.com/.well-known/webauthn must be: ") == true)
        #expect(throws: CommandFailure.self) {
            try files("passkeys: { rpID: example.org, origins: [https://example.com] }")
        }
    }

    @Test func `an example's names are a warning in production, and LATCHKEY_APP_NAME counts`() throws {
        func warnings(_ also: [String: String] = [:]) throws -> [String] {
            let variables = variables.merging(also) { $1 }
            return try PolicyCheck.check("starter", in: .production, variables: variables).warnings
                .filter { $0.contains("an example's") }
        }
        #expect(try warnings().count == 3)
        #expect(try warnings(["LATCHKEY_APP_NAME": "Acme"]).count == 2)
        #expect(failure("starter", ["LATCHKEY_APP_NAME": "a\nb"])?.contains("LATCHKEY_APP_NAME") == true)
        let arabic = ["LATCHKEY_APP_NAME": String(repeating: "ع", count: 40)]
        #expect(failure("starter", arabic)?.contains("makes more than one text message") == true)
    }

    @Test func `the texts of a policy that is given by its path are those next to it`() throws {
        try withPolicies { folder in
            try edit(folder + "/messages/en.yaml") { $0.replacing("direction: ltr", with: "direction: up") }
        } _: { changed in
            let path = (changed["LATCHKEY_POLICIES_DIR"] ?? "") + "/howru.yaml"
            let text = failure(path)
            #expect(text?.contains("en.yaml:") == true && text?.contains("direction: up") == true, "\(text ?? "")")
        }
    }

    @Test func `a channel that no sender can do is a warning`() throws {
        let messaging = variables.merging(["OTP_SENDER": "twilio-messaging"]) { $1 }
        let report = try PolicyCheck.check("howru", in: .uat, variables: messaging)
        #expect(report.verdict == "howru: ok")
        #expect(report.warnings.count == 1 && report.warnings.first?.contains("can do call") == true)
    }

    @Test func `every path that is answered stands there with its dialect`() throws {
        let paths = try PolicyCheck.check(nil, in: .uat, variables: variables).paths
        #expect(paths.contains("POST /auth/otp/verify: native") && paths.contains("POST /oauth/revoke: oauth"))
        let texts = paths.map { $0.split(separator: " ")[1].split(separator: ":")[0] }
        #expect(texts == texts.sorted())
    }

    @Test func `a host tells which dialect answers`() throws {
        let text = try String(
            contentsOfFile: (variables["LATCHKEY_POLICIES_DIR"] ?? "") + "/howru.yaml", encoding: .utf8)
        let named = text.replacing("# host: api.example.com", with: "host: a.example")
        try withFile(named) { path in
            let paths = try PolicyCheck.check(path, in: nil, variables: variables).paths
            #expect(paths.contains("POST /auth/refresh: native (a.example)"))
        }
    }

    @Test func `codes to all countries are a warning in production`() throws {
        let report = try PolicyCheck.check("howru", in: .production, variables: variables)
        #expect(report.verdict == "howru: ok")
        #expect(report.warnings.contains { $0.contains("countries.allowed") })
        let text = try String(
            contentsOfFile: (variables["LATCHKEY_POLICIES_DIR"] ?? "") + "/howru.yaml", encoding: .utf8)
        try withFile(text.replacing("allowed: all\n", with: "allowed: [\"+1\"]\n")) { path in
            let report = try PolicyCheck.check(path, in: .production, variables: variables)
            #expect(!report.warnings.contains { $0.contains("countries.allowed") })
            #expect(report.warnings.contains { $0.contains("spend") })
        }
    }

    @Test func `a route below a path of a dialect is named with its line and key`() throws {
        let text = try String(
            contentsOfFile: (variables["LATCHKEY_POLICIES_DIR"] ?? "") + "/aarokya.yaml", encoding: .utf8)
        let hidden = text + "  - { path: /user/profile, upstream: app, access: bearer }\n"
        try withFile(hidden) { path in
            let line = hidden.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(failure(path)?.contains(".yaml:\(line): routes: the route /user/profile is never reached") == true)
        }
    }

    @Test func `LATCHKEY_POLICY names the policy, and a failure names those there are`() {
        #expect(failure(nil, ["LATCHKEY_POLICY": "nowhere"])?.contains("howru") == true)
    }

    @Test func `a wrong file is refused with line, key and what is allowed`() throws {
        try withFile("issuer: a\naudience: b\notp:\n  length: 99\n") { path in
            #expect(failure(path)?.contains(".yaml:4: otp.length: 99 is not allowed. Use 6 to 8.") == true)
        }
        try withFile("otp: [") { path in #expect(failure(path)?.contains(".yaml:") == true) }
    }

    @Test func `a file in the current folder needs no slash`() {
        let name = "\(UUID().uuidString).yaml"
        #expect(failure(name)?.contains("there is no policy at ./\(name)") == true)
    }

    @Test func `what production would refuse is a warning elsewhere and an error there`() throws {
        try withFile(try withProxiesEverywhere()) { path in
            let report = try PolicyCheck.check(path, in: nil, variables: variables)
            #expect(report.warnings.count == 1 && report.warnings.first?.contains("trustedProxies") == true)
            #expect(failure(path, ["LATCHKEY_ENV": "production"])?.contains("trustedProxies") == true)
        }
        #expect(failure(nil, ["LATCHKEY_ENV": "Production"])?.contains("LATCHKEY_ENV") == true)
    }

    /// Runs `body` with a folder that has the repository's policies, changed by `change`, which gets its path.
    private func withPolicies(_ change: (String) throws -> Void, _ body: ([String: String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.copyItem(atPath: variables["LATCHKEY_POLICIES_DIR"] ?? "", toPath: folder)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try change(folder)
        try body(["LATCHKEY_POLICIES_DIR": folder])
    }

    private func edit(_ path: String, _ change: (String) -> String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = change(text)
        #expect(changed != text)
        try changed.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `a folder without the texts of messages stops the start, so it is found`() throws {
        try withPolicies {
            try FileManager.default.removeItem(atPath: $0 + "/messages")
        } _: { variables in
            for policy in ["howru", "uta"] { #expect(failure(policy, variables)?.contains("messages") == true) }
        }
    }

    @Test(arguments: [
        ("locale: en", "locale: fr", "messages.locale fr"), ("texts: messages", "texts: nowhere", "nowhere"),
        ("# smsLocales: [de, ar]", "smsLocales: [fr]", "fr.yaml"),
    ])
    func `texts that are named and not there are found`(line: String, changed: String, says: String) throws {
        try withPolicies {
            try edit($0 + "/howru.yaml") { $0.replacing(line, with: changed) }
        } _: { variables in
            #expect(failure("howru", variables)?.contains(says) == true)
        }
    }

    @Test func `passwords without a public URL are found in production, and a warning elsewhere`() throws {
        let settings = ["MAIL_SENDER": "resend", "LATCHKEY_ENV": "production"]
        #expect(failure("uta", settings)?.contains("LATCHKEY_PUBLIC_URL") == true)
        let url = ["LATCHKEY_PUBLIC_URL": "https://auth.example.com"]
        let report = try PolicyCheck.check(
            "uta", in: nil, variables: variables.merging(settings) { $1 }.merging(url) { $1 })
        #expect(report.verdict == "uta: ok")
    }

    @Test(arguments: [
        (["MAIL_SENDER": "none"], "MAIL_SENDER"), (["PASSWORD_THREADS": "9"], "PASSWORD_THREADS"),
        (["LATCHKEY_TRUSTED_PROXIES": "here"], "LATCHKEY_TRUSTED_PROXIES"),
        (["LATCHKEY_PROXY_PROTOCOL": "1"], "LATCHKEY_TRUSTED_PROXIES"),
        (["LATCHKEY_MEMORY_MB": "64"], "connectionsMax"),
        (["LATCHKEY_UPSTREAM": "ftp://x"], "LATCHKEY_UPSTREAM"),
        (["LATCHKEY_PUBLIC_URL": "nowhere"], "LATCHKEY_PUBLIC_URL"),
        (["LATCHKEY_LOG_LEVEL": "loud"], "LATCHKEY_LOG_LEVEL"),
    ])
    func `settings that stop a start with this policy are found`(settings: [String: String], says: String) {
        let all = ["LATCHKEY_PUBLIC_URL": "https://auth.example.com"].merging(settings) { $1 }
        #expect(failure("uta", all)?.contains(says) == true)
    }
}

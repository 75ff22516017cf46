import Foundation
import Policies
import TestSupport
import Testing

@testable import ControlCore

/// Policies as a new operator may get them wrong, and what `policy check` says to it.
///
/// `Tests/Vectors/Operators/wrong-policies.txt` is the listing; `LATCHKEY_WRITE_GOLDEN=1` writes it again.
@Suite struct WrongPoliciesTests {
    private static let right = """
        issuer: my-app
        audience: my-app
        profiles:
          mobile:
            algorithm: RS256
        dialects:
          - { name: native, profile: mobile }
        otp:
          length: 6
        countries:
          allowed: ["+1"]
        upstreams:
          app: $LATCHKEY_UPSTREAM
        routes:
          - { path: /api/**, upstream: app, access: bearer }

        """

    /// The problems, each with the change that causes it.
    private static let changes: [(title: String, old: String, new: String)] = [
        ("a file without a policy", right, ""),
        ("a file that is not YAML", "  - { name: native, profile: mobile }", "  - { name: native, profile: mobile"),
        ("a tab in place of blanks", "  length: 6", "\tlength: 6"),
        ("a list in place of a policy", right, "- issuer: my-app\n"),
        ("a mistyped key", "  length: 6", "  lenght: 6"),
        ("a mistyped section", "countries:", "contries:"),
        ("a key of another section", "  length: 6", "  length: 6\n  graceDays: 30"),
        ("a key that is there twice", "  length: 6", "  length: 6\n  length: 7"),
        ("a number out of its range", "  length: 6", "  length: 4"),
        ("a number in quotes", "  length: 6", "  length: \"6\""),
        ("a number with its unit", "  length: 6", "  lifetimeSeconds: 5m"),
        ("a word in place of true", "otp:\n", "deletion:\n  page: yes\notp:\n"),
        ("a value in place of a section", "otp:\n  length: 6\n", "otp: on\n"),
        ("nothing in place of a section", "  mobile:\n    algorithm: RS256\n", "  mobile:\n"),
        (
            "a section in place of a list", "dialects:\n  - { name: native, profile: mobile }\n",
            "dialects: { native: mobile }\n"
        ),
        ("a mistyped word", "RS256", "RSA256"),
        ("a profile that does not exist", "profile: mobile", "profile: web"),
        ("an upstream that does not exist", "upstream: app", "upstream: api"),
        ("an upstream without servers", "  app: $LATCHKEY_UPSTREAM", "  app: []"),
        (
            "an upstream with mixed servers", "  app: $LATCHKEY_UPSTREAM",
            "  app: [http://a:80, https://b, http://A]"
        ),
        (
            "a wrong check of an upstream", "  app: $LATCHKEY_UPSTREAM",
            "  app: { urls: http://a, health: { path: healthz, intervalSeconds: 0 } }"
        ),
        ("a missing section", "countries:\n  allowed: [\"+1\"]\n", ""),
        ("a missing key", "audience: my-app\n", ""),
        ("a country by its name", "[\"+1\"]", "[US]"),
        ("a prefix without quotes", "[\"+1\"]", "[+1]"),
        ("Norway, which is false in YAML", "audience: my-app", "audience: my-app\ndefaultRegion: NO"),
        (
            "an unknown dialect", "- { name: native, profile: mobile }",
            "- { name: native, profile: mobile }\n  - { name: voltyk, profile: mobile }"
        ),
        (
            "a dialect with passwords, and no passwords", "- { name: native, profile: mobile }",
            "- { name: native, profile: mobile }\n  - { name: voltyks, profile: mobile }"
        ),
        ("no way to sign in", "otp:\n  length: 6\ncountries:\n  allowed: [\"+1\"]\n", "otp: none\n"),
        ("a message without its code", "  length: 6", "  message: Welcome"),
        (
            "a route above another", "  - { path: /api/**",
            "  - { path: /**, upstream: app, access: open }\n  - { path: /api/**"
        ),
        ("a URL without https", "audience: my-app", "audience: my-app\npublicURL: auth.example.com"),
        ("several at once", "  length: 6", "  length: 4\n  color: red\n  message: 7"),
        (
            "cookies that a dialect does not have", "- { name: native, profile: mobile }",
            "- { name: native, profile: mobile, web: cookie }\n  - { name: aarokya, profile: mobile, web: cookies }"
        ),
        (
            "two dialects with cookies on one host", "- { name: native, profile: mobile }",
            "- { name: native, profile: mobile, web: cookies }\n  - { name: aarokya, profile: mobile, web: refreshCookie }"
        ),
        (
            "a page of another origin, and no CORS", "otp:\n",
            "cookies: { origins: [\"https://app.example.com\"] }\notp:\n"
        ),
        (
            "a page of another site", "  - { name: native, profile: mobile }",
            """
              - { name: native, profile: mobile, web: cookies }
            publicURL: https://api.example.com
            cors: { origins: ["https://app.example.org"], credentials: true }
            cookies: { origins: ["https://app.example.org"] }
            """
        ),
        ("passwords without mail", "otp:\n", "passwords: on\notp:\n"),
        ("an OpenID provider with half its keys", "otp:\n", "oidc:\n  google: { audiences: [web] }\notp:\n"),
    ]

    private static func listing() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "mine.yaml")
        return try changes.map { title, old, new in
            #expect(old.isEmpty || right.contains(old), "\(title)")
            try right.replacing(old, with: new).write(to: file, atomically: true, encoding: .utf8)
            let shown = "# \(title)\n" + new.split(separator: "\n").map { "| \($0)\n" }.joined()
            do {
                let report = try PolicyCheck.check(file.path, in: .development, variables: [:])
                return shown + report.verdict
            } catch {
                return shown + "\(error)"
            }
        }.joined(separator: "\n\n") + "\n"
    }

    @Test func `the policy without a change is right`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        try Self.right.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try PolicyCheck.check(file.path, in: .development, variables: [:]).verdict.hasSuffix(": ok"))
    }

    @Test func `the site of a page is compared with the URL of the environment too`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        let pages = """
            cors: { origins: ["https://app.example.org"], credentials: true }
            cookies: { origins: ["https://app.example.org"] }
            """
        try (Self.right.replacing("profile: mobile }", with: "profile: mobile, web: cookies }") + pages)
            .write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let check = { (variables: [String: String]) throws in
            try PolicyCheck.check(file.path, in: .development, variables: variables).verdict
        }
        #expect(try check(["LATCHKEY_PUBLIC_URL": "https://api.example.org"]).hasSuffix(": ok"))
        for variables in [[:], ["LATCHKEY_PUBLIC_URL": "https://api.example.com"]] {
            #expect(throws: CommandFailure.self) { try check(variables) }
        }
    }

    @Test func `each wrong policy is refused with a line that says what to do`() throws {
        let listing = try Self.listing()
        let file = LatchkeyStack.root + "Tests/Vectors/Operators/wrong-policies.txt"
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1" {
            try listing.write(toFile: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOfFile: file, encoding: .utf8)
        for (now, before) in zip(listing.components(separatedBy: "\n# "), golden.components(separatedBy: "\n# ")) {
            #expect(now == before)
        }
        #expect(listing.count == golden.count && Self.changes.count >= 20)
        #expect(!listing.contains(": ok"), "a wrong policy passes")
    }
}

import Policies
import Testing

@Suite struct PhoneTokenPolicyTests {
    private static let issuer = "https://fpnv.googleapis.com/projects/123456789012"
    private static let section = """
        phoneTokens:
          fpnv:
            issuer: \(issuer)
            jwksURL: https://fpnv.googleapis.com/v1beta/jwks
            audiences: [\(issuer), https://fpnv.googleapis.com/projects/example-app]

        """

    @Test func `without the section no phone token signs in`() throws {
        for text in ["", "phoneTokens: none\n"] {
            #expect(try PolicyText.parse(PolicyText.minimal + text).phoneTokens.isEmpty)
        }
    }

    @Test func `an entry has what Firebase publishes unless it says otherwise`() throws {
        let entry = try #require(try PolicyText.parse(PolicyText.minimal + Self.section).phoneTokens.first)
        #expect(entry.name == "fpnv" && entry.issuer == Self.issuer && entry.claim == "sub")
        #expect(entry.token.algorithm == "ES256" && entry.token.nonce == .ifSent && entry.token.audiences.count == 2)
        let other =
            "phoneTokens: { a: { issuer: i, jwksURL: https://a.example/k, audiences: [x], claim: phone_number, "
            + "algorithm: RS256, nonce: required } }\n"
        let read = try #require(try PolicyText.parse(PolicyText.minimal + other).phoneTokens.first)
        #expect(read.claim == "phone_number" && read.token.algorithm == "RS256" && read.token.nonce == .required)
    }

    @Test func `phone tokens alone are a way to sign in`() throws {
        let minimal = PolicyText.minimal.replacing("countries:\n  allowed: all\n", with: "otp: none\n")
        #expect(PolicyText.findings(minimal + Self.section) == [])
    }

    @Test(arguments: [
        ("issuer: i", "issuer: \"\"", "phoneTokens.p.issuer"), ("issuer: i, ", "", "phoneTokens.p.issuer: is missing"),
        ("issuer: i", "issuers: [i]", "phoneTokens.p.issuers: unknown key"),
        (
            "issuer: i", "issuer: https://securetoken.google.com/example-app",
            "issues Firebase's ID tokens, whose number may have been verified long ago"
        ),
        ("jwksURL: https://p.example/k, ", "", "phoneTokens.p.jwksURL: is missing"),
        ("audiences: [a]", "audiences: []", "phoneTokens.p.audiences"),
        ("audiences: [a]", "audiences: [a, a]", "phoneTokens.p.audiences: contains an audience twice"),
        ("audiences: [a]", "audiences: [a], algorithm: HS256", "phoneTokens.p.algorithm"),
        ("audiences: [a]", "audiences: [a], claim: \"\"", "phoneTokens.p.claim"),
        ("audiences: [a]", "audiences: [a], nonce: never", "phoneTokens.p.nonce"),
        (" p:", " phone:", "phoneTokens.phone: this name is not allowed"), ("p: {", "P: {", "phoneTokens.P: this name"),
    ])
    func `an entry with a fault is refused by its key`(_ old: String, _ new: String, _ message: String) {
        let entry = "phoneTokens: { p: { issuer: i, jwksURL: https://p.example/k, audiences: [a] } }\n"
        #expect(PolicyText.findings(PolicyText.minimal + entry) == [])
        let findings = PolicyText.findings(PolicyText.minimal + entry.replacing(old, with: new))
        #expect(findings.contains { $0.contains(message) }, "\(findings)")
    }

    @Test func `each issuer and each name is there once`() {
        func entries(_ names: [String], issuer: String) -> String {
            "phoneTokens:\n"
                + names.map { "  \($0): { issuer: \(issuer), jwksURL: https://p.example/k, audiences: [a] }\n" }
                .joined()
        }
        let twice = PolicyText.findings(PolicyText.minimal + entries(["a", "b"], issuer: "i"))
        #expect(twice.first?.contains("i belongs to another entry") == true, "\(twice)")
        let oidc = "oidc: { a: { issuers: [j], jwksURL: https://p.example/k, audiences: [a] } }\n"
        let named = PolicyText.findings(PolicyText.minimal + oidc + entries(["a"], issuer: "i"))
        #expect(named.first?.contains("phoneTokens.a: is the name of an entry of oidc too") == true, "\(named)")
    }

    @Test func `keys over http are for local addresses outside production`() throws {
        let local = try PolicyText.parse(
            PolicyText.minimal
                + Self.section.replacing("https://fpnv.googleapis.com/v1", with: "http://127.0.0.1:8026/v1"))
        #expect(local.problems(in: .development) == [])
        #expect(local.problems(in: .production).contains { $0.contains("phoneTokens.fpnv.jwksURL") })
    }

    @Test func `the example of Firebase goes with production`() throws {
        let folder = PolicyText.policiesDirectory()
        let policy = try Policy.load(named: "\(folder)/examples/fpnv.yaml", directory: folder)
        #expect(policy.phoneTokens.map(\.name) == ["fpnv"] && policy.sendsCodes)
        #expect(policy.problems(in: .production) == [])
    }
}

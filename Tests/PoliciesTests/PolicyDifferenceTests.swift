import Testing

@testable import Policies

/// The keys in which policies differ, and those of them that a running gateway reads again.
@Suite struct PolicyDifferenceTests {
    private static let old = """
        upstreams: { app: http://a.example }
        routes:
          - { path: /api/**, upstream: app, access: bearer }

        """

    private func keys(_ changed: String) throws -> [String] {
        try PolicyText.parse(PolicyText.minimal + Self.old).keysForRestart(to: PolicyText.parse(changed))
    }

    @Test(arguments: [
        "edge: { hstsSeconds: 60, tls: { minimum: \"1.2\" } }", "cors: { origins: [\"https://a.example\"] }",
        "trustedProxies: [10.0.0.0/8]", "# a comment, which moves the lines after it",
    ])
    func `sections of the edge alone need no restart`(section: String) throws {
        #expect(try keys(section + "\n" + PolicyText.minimal + Self.old).isEmpty)
    }

    @Test func `routes and upstreams may come and go`() throws {
        #expect(try keys(PolicyText.minimal).isEmpty)
        let other = Self.old.replacing("http://a.example", with: "https://b.example, c: http://c.example")
        #expect(try keys(PolicyText.minimal + other).isEmpty)
    }

    @Test func `every other key that differs is named`() throws {
        let text = PolicyText.minimal.replacing("example-api", with: "other-api")
            .replacing("algorithm: RS256", with: "algorithm: ES256")
        let changed = "sessions: { perUserMax: 7 }\nedge: { hstsSeconds: 60 }\n" + text + Self.old
        #expect(try keys(changed) == ["audience", "profiles.mobile.algorithm", "sessions.perUserMax"])
    }

    @Test func `each section that is read again is a key of the policy`() {
        #expect(Policy.reloadedSections.isSubset(of: Policy.keys.map { Substring($0.name) }))
    }
}

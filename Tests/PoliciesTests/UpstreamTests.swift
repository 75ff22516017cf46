import Policies
import Testing

/// The forms of an upstream in a policy: a URL, several, or a section with a check.
@Suite struct UpstreamTests {
    private func upstream(_ value: String) throws -> Upstream? {
        try PolicyText.parse(PolicyText.minimal + "upstreams: { app: \(value) }\n").upstreams["app"]
    }

    private func findings(_ value: String) -> [String] {
        PolicyText.findings(PolicyText.minimal + "upstreams:\n  app: \(value)\n")
    }

    @Test func `an upstream is one URL, several, or a section with a check`() throws {
        #expect(try upstream("$LATCHKEY_UPSTREAM") == Upstream())
        #expect(try upstream("\"http://a:1\"") == Upstream(urls: ["http://a:1"]))
        #expect(try upstream("[\"http://a:1\", \"http://b:1\"]") == Upstream(urls: ["http://a:1", "http://b:1"]))
        var health = Upstream.Health(path: "/healthz?deep=1")
        let checked = "health: { path: \"/healthz?deep=1\" }"
        #expect(health.intervalSeconds == 5)
        #expect(try upstream("{ urls: $LATCHKEY_UPSTREAM, \(checked) }") == Upstream(health: health))
        #expect(
            try upstream("{ urls: [\"https://a\", \"https://b\"], \(checked) }")
                == Upstream(urls: ["https://a", "https://b"], health: health))
        health.intervalSeconds = 300
        #expect(
            try upstream("{ urls: \"http://a\", health: { path: \"/healthz?deep=1\", intervalSeconds: 300 } }")
                == Upstream(urls: ["http://a"], health: health))
    }

    @Test(arguments: [
        ("[]", "app: 0 entries are not allowed. Use 1 to 64."),
        ("[http://a, http://A:80]", "app: http://A:80 is there twice. Remove one."),
        ("[http://a, https://b]", "app: http:// and https:// are mixed. Use one of them for all URLs of an upstream."),
        (
            "[$LATCHKEY_UPSTREAM, http://b]",
            "app[0]: $LATCHKEY_UPSTREAM is not allowed. Use http://host:port or https://host:port without a path."
        ),
        (
            "[http://a/path]",
            "app[0]: http://a/path is not allowed. Use http://host:port or https://host:port without a path."
        ),
        (
            "{ urls: http://a, health: { path: healthz } }",
            "app.health.path: healthz is not allowed. Use a path such as /healthz, of at most 256 visible ASCII characters "
                + "without #."
        ),
        (
            "{ urls: http://a, health: { path: /, intervalSeconds: 0 } }",
            "app.health.intervalSeconds: 0 is not allowed. Use 1 to 300."
        ),
        (
            "{ urls: http://a, health: { path: /, intervalSeconds: 301 } }",
            "app.health.intervalSeconds: 301 is not allowed. Use 1 to 300."
        ),
    ])
    func `what is no upstream has one clear line`(value: String, line: String) {
        #expect(findings(value) == ["test.yaml:11: upstreams.\(line)"])
    }

    @Test(arguments: ["{ health: { path: / } }", "{ urls: http://a, health: { intervalSeconds: 5 } }"])
    func `the URLs and the path of a check are required`(value: String) {
        #expect(findings(value).count == 1 && findings(value).first?.contains("is missing") == true)
    }

    @Test func `a stated upstream is read back as it is, and the gateway reads it again while it runs`() throws {
        let head = PolicyText.minimal + "upstreams:\n  app: "
        let old = try PolicyText.parse(head + "http://a\n")
        for value in ["[http://a, http://b]", "{ urls: [http://a, http://b], health: { path: /healthz } }"] {
            let new = try PolicyText.parse(head + value + "\n")
            #expect(!old.differences(to: new).isEmpty && old.keysForRestart(to: new).isEmpty)
            #expect(new.differences(to: new).isEmpty)
        }
    }
}

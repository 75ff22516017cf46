import Policies
import Testing

@Suite struct EdgeRulesTests {
    private static let pins = [
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
    ]
    private static let upstream = PolicyText.minimal + "upstreams: { app: \"http://127.0.0.1:1\" }\n"

    @Test(arguments: [
        ("cors: none", true), ("cors: { origins: [\"https://admin.example.com\"] }", true),
        ("cors: { origins: [\"http://localhost:3000\", \"https://[::1]:8443\"], credentials: true }", true),
        ("cors: { origins: [] }", false), ("cors: { origins: [\"*\"] }", false), ("cors: {}", false),
        ("cors: { origins: [\"https://Admin.example.com\"] }", false),
        ("cors: { origins: [\"https://a.example/\"] }", false), ("cors: { origins: [\"ftp://a.example\"] }", false),
        ("cors: { origins: [\"https://a.example\"], allowHeaders: [\"X Y\"] }", false),
        ("cors: { origins: [\"https://a.example\"], maxAgeSeconds: 86401 }", false),
        ("edge: { authLimit: none }", true), ("edge: { authLimit: { max: 10, windowSeconds: 60 } }", true),
        ("edge: { authLimit: { max: 10 } }", false), ("edge: { proxyProtocol: true }", false),
        ("edge: { proxyProtocol: true }\ntrustedProxies: [10.0.0.0/8]", true),
        ("edge: { proxyProtocol: 2 }", false),
        ("edge: { tls: { minimum: \"1.2\" } }", true), ("edge: { tls: { minimum: \"1.3\" } }", true),
        ("edge: { tls: { minimum: \"1.1\" } }", false), ("edge: { tls: { minimum: 1.2 } }", false),
        ("edge: { tls: { pins: [\"\(pins[0])\", \"\(pins[1])\"] } }", true),
        ("edge: { tls: { pins: [\"\(pins[0])\"] } }", false),
        ("edge: { tls: { pins: [\"\(pins[0])\", \"\(pins[0])\"] } }", false),
        ("edge: { tls: { pins: [\"\(pins[0])\", \"\(pins[1].dropLast())\"] } }", false),
        ("edge: { tls: { pins: [\"\(pins[0])\", \"sha256/\(pins[1])\"] } }", false),
        ("edge: { tls: { pins: [\"\(pins[0])\", \"\(pins[1].dropLast(2))B=\"] } }", false),
        ("edge: { tls: { pin: none } }", false),
    ])
    func `a rule of the edge is allowed or not`(_ line: String, _ isAllowed: Bool) {
        let findings = PolicyText.findings(PolicyText.minimal + line + "\n")
        #expect(findings.isEmpty == isAllowed, "\(findings)")
    }

    @Test(arguments: [
        ("access: bearer, limit: { max: 10, windowSeconds: 60 }", true),
        ("access: bearer, limit: { max: 10, windowSeconds: 60, per: address }", true),
        ("access: open, limit: { max: 10, windowSeconds: 60 }", true),
        ("access: open, limit: { max: 10, windowSeconds: 60, per: user }", false),
        ("access: bearer, limit: { max: 0, windowSeconds: 60 }", false), ("access: bearer, limit: none", true),
        ("access: bearer, limit: { max: 10, windowSeconds: 60, per: session }", false),
        ("access: bearer, identityAudience: app-api", true), ("access: open, identityAudience: app-api", false),
        ("access: { role: [admin] }, identityAudience: app-api", true),
        ("access: bearer, identityAudience: \"app api\"", false),
    ])
    func `a route's rule is allowed or not`(_ rule: String, _ isAllowed: Bool) {
        let findings = PolicyText.findings(Self.upstream + "routes: [ { path: /api/**, upstream: app, \(rule) } ]\n")
        #expect(findings.isEmpty == isAllowed, "\(findings)")
    }

    @Test func `version 1.3 of TLS and any key is what a policy says by silence`() throws {
        let silent = try PolicyText.parse(PolicyText.minimal).edge.tls
        #expect(silent.minimum == .tls13 && silent.pins.isEmpty)
        let older = try PolicyText.parse(PolicyText.minimal + "edge: { tls: { minimum: \"1.2\" } }\n").edge.tls
        #expect(older.minimum == .tls12)
    }

    @Test func `a limit counts users where there are some, addresses elsewhere`() throws {
        let limit = "limit: { max: 10, windowSeconds: 60 }"
        let routes = """
            routes:
              - { path: /a/**, upstream: app, access: bearer, \(limit) }
              - { path: /b/**, upstream: app, access: open, \(limit) }

            """
        let policy = try PolicyText.parse(Self.upstream + routes)
        #expect(policy.routes.map { $0.limit?.caller } == [.user, .address])
    }
}

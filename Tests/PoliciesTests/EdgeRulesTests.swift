import Policies
import Testing

@Suite struct EdgeRulesTests {
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

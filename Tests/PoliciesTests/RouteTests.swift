import Policies
import Testing

@Suite struct RouteTests {
    private func findings(_ route: String) -> [String] {
        PolicyText.findings(PolicyText.minimal + "upstreams: { app: $LATCHKEY_UPSTREAM }\nroutes:\n  - { \(route) }\n")
    }

    private func route(_ route: String) throws -> Route {
        let text = PolicyText.minimal + "upstreams: { app: $LATCHKEY_UPSTREAM }\nroutes:\n  - { \(route) }\n"
        return try #require(try PolicyText.parse(text).routes.first)
    }

    @Test func `a route without an access is refused`() {
        #expect(
            findings("path: /api/**, upstream: app") == [
                "test.yaml:12: routes[0].access: is missing (deploy/docs/reference/edge.md)."
            ])
    }

    @Test func `each access is written out`() throws {
        for open in ["open", "\"open\""] {
            #expect(try route("path: /a, upstream: app, access: \(open)").access == .open)
        }
        #expect(try route("path: /a, upstream: app, access: optional").access == .optional)
        #expect(try route("path: /a, upstream: app, access: bearer").access == .bearer)
        #expect(try route("path: /a, upstream: app, access: client").access == .client)
        #expect(
            try route("path: /a, upstream: app, access: { role: [admin, support] }").access
                == .role(["admin", "support"]))
    }

    @Test(arguments: [
        "optional, role: [admin]", "{ role: [admin], optional: true }", "{ optional: { role: [admin] } }",
        "[optional, { role: [admin] }]", "public", "\"public\"", "[open]", "{}", "{ role: [] }", "{ role: admin }",
        "{ roles: [admin] }", "true", "~",
    ])
    func `an access that does not exist is refused`(_ access: String) {
        #expect(!findings("path: /a, upstream: app, access: \(access)").isEmpty)
    }

    @Test func `a route for clients may have a proof and a limit of each client, and has no user's age`() throws {
        let route = try route(
            "path: /a, upstream: app, access: client, identityAudience: a, limit: { max: 1, windowSeconds: 1 }")
        #expect(route.limit?.caller == .user && route.identityAudience == "a")
        let refused = findings("path: /a, upstream: app, access: client, maxAgeSeconds: 300")
        #expect(refused.contains { $0.contains("requests of this route may have no user") })
    }

    private static let acting = PolicyText.minimal + "admin: { api: true, actAs: { role: support } }\n"

    @Test(arguments: [
        ("access: bearer, actAs: read", true), ("access: optional, actAs: write", true),
        ("access: { role: [admin] }, actAs: read", true), ("access: bearer, webSocket: true, actAs: write", true),
        ("access: bearer, webSocket: true, actAs: read", false), ("access: bearer, live: true, actAs: read", true),
        ("access: open, actAs: read", false), ("access: client, actAs: write", false),
        ("access: bearer, actAs: all", false), ("access: bearer, actAs: true", false),
        ("access: bearer, maxAgeSeconds: 300, actAs: read", false), ("access: bearer, acr: aal2, actAs: read", false),
        ("access: bearer, amr: pop, actAs: write", false),
    ])
    func `a route admits people who act as users, where that has a meaning`(_ route: String, _ isAllowed: Bool) {
        func findings(_ head: String) -> [String] {
            PolicyText.findings(
                head.replacing("algorithm: RS256", with: "algorithm: RS256\n    claims: [auth_time, acr, amr]")
                    + "upstreams: { app: http://a }\nroutes:\n  - { path: /a, upstream: app, \(route) }\n")
        }
        #expect(findings(Self.acting).isEmpty == isAllowed, "\(findings(Self.acting))")
        // Without the role no user could.
        #expect(!findings(PolicyText.minimal).isEmpty)
    }

    @Test func `what a route leaves out has its default`() throws {
        let plain = try route("path: /api/**, upstream: app, access: bearer")
        #expect(plain.methods == nil && plain.bodyBytesMax == 1_073_741_824 && plain.timeoutSeconds == 30)
        #expect(!plain.stripPrefix && !plain.keepAuthorization && plain.totalSeconds == nil && plain.actAs == nil)
        let full = try route(
            "path: /a, upstream: app, access: open, methods: [GET, POST], bodyBytesMax: none, timeoutSeconds: 5, "
                + "totalSeconds: 90, stripPrefix: true, keepAuthorization: true")
        #expect(full.methods == ["GET", "POST"] && full.bodyBytesMax == nil && full.timeoutSeconds == 5)
        #expect(full.totalSeconds == 90)
        #expect(full.stripPrefix && full.keepAuthorization)
    }

    @Test(arguments: [
        "api/**", "/api/", "/a//b", "/a/**/b", "/a/b*", "/a?b", "/a%20b", "/../a", "/./a", "/a;b", "", "/a b", "/ä",
        "/auth/**", "/oauth/token", "/users/me", "/sessions", "/webhooks/apple",
    ])
    func `a path that is no pattern, or ours, is refused`(_ path: String) {
        let findings = findings("path: \"\(path)\", upstream: app, access: open")
        #expect(findings.count == 1 && findings.first?.hasPrefix("test.yaml:12: routes[0].path: ") == true)
    }

    @Test(arguments: [
        "methods: [get]", "methods: [TRACE]", "methods: []", "bodyBytesMax: -1", "timeoutSeconds: 0", "totalSeconds: 0",
        "totalSeconds: 86401", "stripPrefix: 1", "webSocket: yes please", "live: 1", "live: true, idleSeconds: 0",
        "webSocket: true, idleSeconds: 86401",
    ])
    func `a wrong detail is refused`(_ detail: String) {
        #expect(findings("path: /a, upstream: app, access: open, \(detail)").count == 1)
    }

    @Test func `a WebSocket's route is of GET, and a live one of all methods`() throws {
        let socket = try route("path: /a, upstream: app, access: bearer, webSocket: true, idleSeconds: 300")
        #expect(socket.webSocket && !socket.live && socket.methods == ["GET"] && socket.idleSeconds == 300)
        let live = try route("path: /a, upstream: app, access: open, live: true, methods: [POST]")
        #expect(live.live && !live.webSocket && live.methods == ["POST"] && live.idleSeconds == nil)
        #expect(try !route("path: /a, upstream: app, access: open, webSocket: false").webSocket)
    }

    @Test(
        arguments: [
            (
                "webSocket: true, live: true",
                "live: a route is either webSocket or live. Remove one of them, or use two routes."
            ),
            (
                "webSocket: true, methods: [GET, POST]",
                "methods: a webSocket route accepts GET only. Use [GET], or remove this key."
            ),
            (
                "idleSeconds: 60",
                "idleSeconds: applies only with webSocket or live. Add one of them, or remove this key."
            ),
            (
                "idleSeconds: 60, webSocket: false",
                "idleSeconds: applies only with webSocket or live. Add one of them, or remove this key."
            ),
        ])
    func `a wrong combination is refused with a line`(keys: String, line: String) {
        #expect(findings("path: /a, upstream: app, access: open, \(keys)") == ["test.yaml:12: routes[0].\(line)"])
    }

    @Test func `a route names an upstream that exists`() {
        let expected = "test.yaml:12: routes[0].upstream: ap is not allowed. Did you mean app? Use app."
        #expect(findings("path: /a, upstream: ap, access: open") == [expected])
    }

    @Test func `an age needs a user, and the claim in the profile of every dialect`() throws {
        let age = "path: /a, upstream: app, maxAgeSeconds: 300"
        for access in ["open", "optional"] {
            #expect(findings("\(age), access: \(access)").count == 2)
        }
        #expect(
            findings("\(age), access: bearer") == [
                "test.yaml:11: routes[0].maxAgeSeconds: needs the claim auth_time, which profiles.mobile.claims lacks. Add it there."
            ])
        let routes = "upstreams: { app: $LATCHKEY_UPSTREAM }\nroutes:\n  - { \(age), access: bearer }\n"
        let text =
            PolicyText.minimal.replacing("algorithm: RS256", with: "algorithm: RS256\n    claims: [auth_time]") + routes
        let policy = try PolicyText.parse(text)
        #expect(policy.routes.first?.maxAgeSeconds == 300)
        #expect(policy.cautions(in: .development).isEmpty)
        // The printed clients of another document do not know this 401.
        let two = text.replacing("dialects:\n", with: "dialects:\n  - { name: aarokya, profile: mobile }\n")
        let cautions = try PolicyText.parse(two).cautions(in: .development)
        #expect(cautions.count == 1 && cautions.first?.contains("aarokya") == true, "\(cautions)")
        let named = two.replacing("access: bearer", with: "access: bearer, dialect: native")
        #expect(try PolicyText.parse(named).cautions(in: .development).isEmpty)
    }

    @Test(arguments: [("acr: aal2", "acr"), ("amr: pop", "amr"), ("maxAgeSeconds: 60", "auth_time")])
    func `what a route compares needs a user, and the claim in the profile of every dialect`(
        _ key: String, claim: String
    ) throws {
        for access in ["open", "optional", "client"] {
            let found = findings("path: /a, upstream: app, access: \(access), \(key)")
            #expect(found.contains { $0.contains("requests of this route may have no user") }, "\(found)")
        }
        let name = key.prefix { $0 != ":" }
        #expect(
            findings("path: /a, upstream: app, access: bearer, \(key)") == [
                "test.yaml:11: routes[0].\(name): needs the claim \(claim), which profiles.mobile.claims lacks. Add it there."
            ])
        let routes =
            "upstreams: { app: http://a }\nroutes:\n  - { path: /a, upstream: app, access: bearer, \(key) }\n"
        func text(_ claims: String) -> String {
            PolicyText.minimal.replacing("algorithm: RS256", with: "algorithm: RS256\n    claims: [\(claims)]") + routes
        }
        #expect(PolicyText.findings(text(claim)).isEmpty)
        let others = ["auth_time", "acr", "amr"].filter { $0 != claim }.joined(separator: ", ")
        #expect(PolicyText.findings(text(others)).count == 1)
    }

    @Test(arguments: ["acr: aal1", "acr: AAL2", "acr: [aal2]", "acr: true", "amr: sms", "amr: [pop]", "amr: mfa"])
    func `a level or a proof that no route can ask for is refused`(_ key: String) {
        #expect(!findings("path: /a, upstream: app, access: bearer, \(key)").isEmpty)
    }

    @Test func `a level and a proof are stricter than none`() throws {
        let plain = try route("path: /a, upstream: app, access: bearer")
        var (level, proof) = (plain, plain)
        level.acr = .aal2
        proof.amr = .pop
        #expect(level.isStricter(than: plain) && proof.isStricter(than: plain))
        #expect(level.isStricter(than: proof) && proof.isStricter(than: level))
        #expect(!plain.isStricter(than: level) && !plain.isStricter(than: proof) && !level.isStricter(than: level))
    }

    @Test func `roles that need a second factor need the claim in the profile, if a route is theirs`() {
        let head = PolicyText.minimal + "mfa: { requiredForRoles: [admin] }\nupstreams: { app: http://a }\nroutes:\n"
        let found = PolicyText.findings(head + "  - { path: /a, upstream: app, access: { role: [admin] } }\n")
        let lacks = "mfa.requiredForRoles: needs the claim acr"
        #expect(found.count == 1 && found.first?.contains(lacks) == true, "\(found)")
        #expect(PolicyText.findings(head + "  - { path: /a, upstream: app, access: { role: [support] } }\n").isEmpty)
        #expect(PolicyText.findings(head + "  - { path: /a, upstream: app, access: bearer }\n").isEmpty)
    }

    @Test func `nobody acts as a user where roles need a second factor`() {
        let head =
            Self.acting.replacing("algorithm: RS256", with: "algorithm: RS256\n    claims: [acr]")
            + "mfa: { requiredForRoles: [admin] }\nupstreams: { app: http://a }\nroutes:\n"
        func findings(_ role: String) -> [String] {
            PolicyText.findings(head + "  - { path: /a, upstream: app, access: { role: [\(role)] }, actAs: read }\n")
        }
        #expect(findings("admin").contains { $0.contains("has no second factor") }, "\(findings("admin"))")
        #expect(findings("support").isEmpty && findings("admin, support").isEmpty, "\(findings("admin, support"))")
    }

    @Test func `an age is stricter than none, and than a longer one`() throws {
        var routes = try [nil, 600, 300].map { (seconds: Int64?) in
            var route = try route("path: /a, upstream: app, access: bearer")
            route.maxAgeSeconds = seconds
            return route
        }
        routes.reverse()
        for (index, route) in routes.enumerated() {
            for (other, weaker) in routes.enumerated() { #expect(route.isStricter(than: weaker) == (index < other)) }
        }
    }

    @Test func `a route that an earlier one hides is refused`() {
        let head = PolicyText.minimal + "upstreams: { app: $LATCHKEY_UPSTREAM }\nroutes:\n"
        let open = "  - { path: /a, upstream: app, access: open }\n"
        let post = "  - { path: /a, upstream: app, access: bearer, methods: [POST] }\n"
        #expect(
            PolicyText.findings(head + open + post) == [
                "test.yaml:13: routes[1].path: /a never gets a request, because /a above it matches them all. Move it above that."
            ])
        #expect(PolicyText.findings(head + post + open).isEmpty)
        let all = "  - { path: /api/**, upstream: app, access: bearer }\n"
        let admin = "  - { path: /api/admin/**, upstream: app, access: { role: [admin] } }\n"
        #expect(PolicyText.findings(head + all + admin).count == 1)
        #expect(PolicyText.findings(head + admin + all).isEmpty)
    }

    @Test(arguments: [
        ("http://app:8090", true), ("http://127.0.0.1", true), ("http://[::1]:8090", true),
        ("http://app.internal:65535", true),
        ("https://app", true), ("https://app.internal:8443", true), ("https://[::1]", true), ("https://app/", false),
        ("https://", false), ("unix:///app", false), ("http://app/", false), ("http://app/path", false),
        ("http://user@app", false),
        ("http://app:0", false), ("http://app:65536", false), ("http://app:", false), ("http://:80", false),
        ("http://", false),
        ("http://[::1", false), ("http://[1.2.3.4]", false), ("http://a b", false), ("$OTHER", false), ("app", false),
    ])
    func `an upstream is a base address or the environment's`(_ address: String, _ isAllowed: Bool) throws {
        let text = PolicyText.minimal + "upstreams: { app: \"\(address)\" }\n"
        #expect(PolicyText.findings(text).isEmpty == isAllowed)
        if isAllowed { #expect(try PolicyText.parse(text).upstreams == ["app": Upstream(urls: [address])]) }
    }
}

import Policies
import Testing

/// Claims that profiles map, and the headers by which routes pass them on.
@Suite struct MappedClaimTests {
    private static let attributes = "attributes: [{ name: plan, type: string, setBy: operator }]\n"

    private func policy(_ claims: String, route: String = "") -> String {
        PolicyText.minimal.replacing("algorithm: RS256", with: "algorithm: RS256\n    mappedClaims: \(claims)")
            + Self.attributes + "upstreams: { app: $LATCHKEY_UPSTREAM }\nroutes:\n"
            + "  - { path: /a, upstream: app, access: bearer\(route) }\n"
    }

    private func findings(_ claims: String, route: String = "") -> [String] {
        PolicyText.findings(policy(claims, route: route))
    }

    @Test func `claims are read in the order of the file, and sources of all profiles are there once`() throws {
        let text = policy("{ plan: app.plan, tier: attributes.plan, \"my-seats\": app.seats_1 }")
            .replacing(
                "dialects:",
                with: "  web:\n    algorithm: RS256\n    mappedClaims: { p: app.plan, b: app.b }\ndialects:")
        let policy = try PolicyText.parse(text)
        #expect(
            policy.profile(named: "mobile")?.mappedClaims == [
                MappedClaim(name: "plan", source: .app("plan")), MappedClaim(name: "tier", source: .attribute("plan")),
                MappedClaim(name: "my-seats", source: .app("seats_1")),
            ])
        #expect(policy.claimSources == [.app("plan"), .attribute("plan"), .app("seats_1"), .app("b")])
        #expect(policy.claimSources.map(\.text) == ["app.plan", "attributes.plan", "app.seats_1", "app.b"])
        #expect(try PolicyText.parse(PolicyText.minimal).claimSources.isEmpty)
    }

    /// Otherwise a user could fill the room for claims, so that a value that restricts them is in no token.
    @Test func `attributes that users set come after all other sources`() throws {
        let text = policy("{ bio: attributes.bio, tier: attributes.plan, banned: app.banned }").replacing(
            "attributes: [", with: "attributes: [{ name: bio, type: string, setBy: user }, ")
        let policy = try PolicyText.parse(text)
        #expect(policy.claimSources == [.attribute("plan"), .app("banned"), .attribute("bio")])
        #expect(policy.profile(named: "mobile")?.mappedClaims.map(\.name) == ["bio", "tier", "banned"])
    }

    /// firebase/firebase-admin-dotnet#17: reserved names have to be refused, not lost.
    @Test(
        arguments: [
            "iss", "aud", "sub", "iat", "nbf", "exp", "jti", "sid", "ver", "phone", "email", "role", "user_id",
            "legacy_id",
            "auth_time", "act", "scope", "client_id", "azp", "amr", "app_metadata", "user_metadata", "SUB",
            "Role",
        ])
    func `a reserved name is refused in one line`(name: String) {
        #expect(
            findings("{ \(name): app.plan }") == [
                "test.yaml:6: profiles.mobile.mappedClaims.\(name): is a reserved claim, whose value readers of tokens know. "
                    + "Use another name."
            ])
    }

    @Test(
        arguments: [
            "own.plan", "plan", "app", "app.", ".plan", "app.a.b", "App.plan", "app.a b", "app.ä", "name",
            "attributes.",
            "app.\(String(repeating: "x", count: 65))",
        ])
    func `a source that does not exist is refused in one line`(source: String) {
        let findings = findings("{ plan: \"\(source)\" }")
        #expect(findings.count == 1)
        #expect(
            findings.first?.hasSuffix(
                "Use app.KEY or attributes.NAME, with 1 to 64 of A-Z a-z 0-9 _ - after the dot.") == true)
    }

    @Test func `an undeclared attribute, a member that is mapped twice and a ninth claim are refused`() {
        #expect(
            findings("{ tier: attributes.tier }") == [
                "test.yaml:3: profiles.mobile.mappedClaims.tier: attributes declares no tier. Declare it there, or map another "
                    + "member."
            ])
        #expect(
            findings("{ a: app.plan, b: app.plan }") == [
                "test.yaml:6: profiles.mobile.mappedClaims.b: app.plan is mapped already. Map each member once."
            ])
        let other = policy("{ plan: app.plan }").replacing(
            "dialects:", with: "  web:\n    algorithm: RS256\n    mappedClaims: { plan: attributes.plan }\ndialects:")
        #expect(
            PolicyText.findings(other).map { $0.split(separator: ": ", maxSplits: 1).last ?? "" } == [
                "profiles.web.mappedClaims.plan: another profile maps this name to app.plan. Use one member for it in all "
                    + "profiles."
            ])
        let nine = (1...9).map { "c\($0): app.c\($0)" }.joined(separator: ", ")
        #expect(
            findings("{ \(nine) }") == [
                "test.yaml:6: profiles.mobile.mappedClaims: 9 entries are not allowed. Use 0 to 8."
            ])
    }

    // MARK: - Headers

    @Test func `a route passes mapped claims as headers`() throws {
        let claims = "{ plan: app.plan, seats: app.seats }"
        let policy = try PolicyText.parse(policy(claims, route: ", claimHeaders: { X-Plan: plan, X-Org-Seats: seats }"))
        #expect(
            policy.routes.first?.claimHeaders == [
                ClaimHeader(name: "X-Plan", claim: "plan"), ClaimHeader(name: "X-Org-Seats", claim: "seats"),
            ])
        #expect(policy.claimHeaderNames == ["x-plan", "x-org-seats"])
    }

    @Test(
        arguments: [
            "Authorization", "Host", "Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "TE", "Cookie",
            "Plan",
            "X-User-Plan", "x-user-id", "X-Session-Id", "X-Latchkey-Plan", "X-Forwarded-For", "X-Forwarded-Plan",
            "X-Real-IP",
            "X-Request-ID", "X-Original-URL", "X-HTTP-Method-Override", "X-Acting-Admin", "X-Requested-With",
            "X-CSRF-Token",
            "X-", "X-Plan-", "X_Plan", "X-Pl an", "X-Plän", "X-Plan:", "X-\(String(repeating: "a", count: 63))",
        ])
    func `a header that has a meaning of its own is refused`(name: String) {
        let findings = findings("{ plan: app.plan }", route: ", claimHeaders: { \"\(name)\": plan }")
        #expect(findings.count == 1 && findings.first?.contains("this name is not allowed") == true, "\(findings)")
    }

    @Test func `a claim that no profile maps, an open route and a header twice are refused`() {
        let plan = "{ plan: app.plan }"
        #expect(findings(plan, route: ", claimHeaders: { X-Plan: role }").count == 1)
        #expect(findings(plan, route: ", claimHeaders: { X-Plan: plan, x-plan: plan }").count == 1)
        let text = policy(plan, route: ", claimHeaders: { X-Plan: plan }").replacing(
            "access: bearer", with: "access: open")
        #expect(
            PolicyText.findings(text).map { $0.split(separator: ": ", maxSplits: 2).last ?? "" } == [
                "requests of this route have no user with claims. Remove this key, or use another access."
            ])
    }

    @Test func `the list of a policy's values has both`() throws {
        let policy = try PolicyText.parse(
            policy("{ plan: app.plan }", route: ", claimHeaders: { X-Plan: plan }"))
        let values = Dictionary(policy.values.map { ($0.keyPath, $0.text) }) { $1 }
        #expect(values["profiles.mobile.mappedClaims.plan"] == "app.plan")
        #expect(values["routes[0].claimHeaders.X-Plan"] == "plan")
    }
}

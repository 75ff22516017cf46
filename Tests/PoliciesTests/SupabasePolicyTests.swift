import Policies
import Testing

/// The rules of policies that speak the dialect `supabase`.
@Suite struct SupabasePolicyTests {
    private static let profile = "algorithm: ES256, refresh: { repeatWithoutKeySeconds: untilUsed, limit: none }"

    private static func text(
        profile: String = profile, mobile: String = "algorithm: RS256", dialect: String = "profile: supabase",
        audience: String = "example-api", signing: String = "signing: { jwksMaxAgeSeconds: 600 }",
        publicURL: String = "publicURL: https://auth.example.com/api", more: String = ""
    ) -> String {
        """
        issuer: example.com
        audience: \(audience)
        userIDPrefix: usr_
        profiles:
          mobile: { \(mobile) }
          supabase: { \(profile) }
        dialects:
          - { name: native, profile: mobile }
          - { name: supabase, \(dialect) }
        countries: { allowed: all }
        \(signing)
        \(publicURL)
        \(more)
        """
    }

    private static func route(_ role: String) -> String {
        text(
            more: """
                upstreams: { app: $LATCHKEY_UPSTREAM }
                routes: [{ path: /a, upstream: app, access: { role: [\(role)] } }]
                """)
    }

    @Test func `its tokens have an issuer and an audience of their own, and the other profile the policy's`() throws {
        let policy = try PolicyText.parse(Self.text())
        let (own, mobile) = (
            try #require(policy.profile(named: "supabase")), try #require(policy.profile(named: "mobile"))
        )
        #expect(policy.speaksSupabase && policy.isSupabase(own) && !policy.isSupabase(mobile))
        #expect(policy.issuer(of: own) == "https://auth.example.com/api/auth/v1")
        #expect(policy.audience(of: own) == "authenticated")
        #expect(policy.issuer(of: mobile) == "example.com" && policy.audience(of: mobile) == "example-api")
        #expect(own.refresh.repeatsUntilUsed && !mobile.refresh.repeatsUntilUsed && own.refresh.limit == nil)
        #expect(policy.values.contains { $0.keyPath.hasSuffix("repeatWithoutKeySeconds") && $0.text == "untilUsed" })
    }

    @Test func `a profile may have an issuer and an audience in place of the policy's`() throws {
        let policy = try PolicyText.parse(Self.text(mobile: "algorithm: RS256, audience: web, issuer: other"))
        let mobile = try #require(policy.profile(named: "mobile"))
        #expect(policy.issuer(of: mobile) == "other" && policy.audience(of: mobile) == "web")
    }

    @Test(
        arguments: [
            (text(mobile: "algorithm: EdDSA"), "profiles.mobile.algorithm"),
            (text(profile: "algorithm: EdDSA"), "profiles.supabase.algorithm"),
            (text(profile: "algorithm: ES256, claims: [role]"), "profiles.supabase.claims"),
            (text(profile: "algorithm: ES256, mappedClaims: { plan: app.plan }"), "profiles.supabase.mappedClaims"),
            (text(profile: "algorithm: ES256, audience: web"), "profiles.supabase.audience"),
            (text(profile: "algorithm: ES256, issuer: web"), "profiles.supabase.issuer"),
            (text(mobile: "algorithm: RS256, audience: authenticated"), "profiles.mobile.audience"),
            (text(mobile: "algorithm: RS256, audience: example-api/client"), "profiles.mobile.audience"),
            (text(audience: "authenticated"), "audience"),
            (text(signing: "signing: { jwksMaxAgeSeconds: 599 }"), "signing.jwksMaxAgeSeconds"),
            (text(signing: ""), "signing.jwksMaxAgeSeconds"), (text(publicURL: ""), "dialects[1]"),
            (text(dialect: "profile: mobile"), "dialects[1].profile"),
            (text(dialect: "profile: supabase, web: cookies"), "dialects[1].web"),
            (text(more: "admin: { api: true, actAs: { role: postgres } }"), "admin.actAs.role"),
            (text(more: "mfa: { requiredForRoles: [anon] }"), "mfa.requiredForRoles"),
            (route("supabase_admin"), "routes[0].access"), (route("service_role"), "routes[0].access"),
        ])
    func `what does not go with it is named with its key`(text: String, key: String) {
        let findings = PolicyText.findings(text)
        #expect(findings.count == 1 && findings.first?.contains(" \(key)") == true, "\(findings)")
    }

    @Test func `without the dialect all of this is allowed`() throws {
        let text = Self.text(
            mobile: "algorithm: EdDSA, audience: authenticated", signing: "", publicURL: "",
            more: "admin: { api: true, actAs: { role: postgres } }"
        ).replacing("  - { name: supabase, profile: supabase }\n", with: "")
        #expect(PolicyText.findings(text).isEmpty)
    }

    @Test(arguments: ["maxAgeSeconds: 300", "acr: aal2", "amr: pop"])
    func `routes may compare how a user showed who they are, since its tokens say so`(condition: String) {
        let text = Self.text(
            mobile: "algorithm: RS256, claims: [auth_time, acr, amr]",
            more: """
                mfa: {}
                upstreams: { app: $LATCHKEY_UPSTREAM }
                routes: [{ path: /a, upstream: app, access: bearer, \(condition) }]
                """)
        #expect(PolicyText.findings(text).isEmpty, "\(PolicyText.findings(text))")
    }

    // MARK: - The old server

    @Test func `the old server has a URL and a last day`() throws {
        let dialect = #"profile: supabase, previous: { url: "https://abc.supabase.co/auth/v1", until: "2026-12-31" }"#
        let policy = try PolicyText.parse(Self.text(dialect: dialect))
        let previous = try #require(policy.dialects.last?.previous)
        #expect(previous.url?.text == "https://abc.supabase.co/auth/v1" && previous.until == 1_798_761_600)
        #expect(policy.problems(in: .production).isEmpty)
        let plain = try PolicyText.parse(Self.text(dialect: dialect.replacing("https://abc", with: "http://abc")))
        #expect(plain.problems(in: .production).count == 1)
    }

    @Test(
        arguments: [
            (#"previous: { until: "2026-12-31" }"#, "dialects[1].previous.url"),
            (#"previous: { url: "https://a.example" }"#, "dialects[1].previous.until"),
            (#"previous: { url: "https://a.example", until: "2026-02-30" }"#, "dialects[1].previous.until"),
            (#"previous: { url: "a.example", until: "2026-12-31" }"#, "dialects[1].previous.url"),
            (
                #"previous: { url: "https://AUTH.example.com/auth/v1", until: "2026-12-31" }"#,
                "dialects[1].previous.url"
            ),
        ])
    func `a wrong old server is named with its key`(previous: String, key: String) {
        let findings = PolicyText.findings(Self.text(dialect: "profile: supabase, \(previous)"))
        #expect(findings.count == 1 && findings.first?.contains(" \(key)") == true, "\(findings)")
    }

    @Test func `another dialect has no old server`() {
        let text = Self.text().replacing(
            "- { name: native, profile: mobile }",
            with: #"- { name: native, profile: mobile, previous: { url: "https://a.example", until: "2026-12-31" } }"#)
        let findings = PolicyText.findings(text)
        #expect(findings.count == 1 && findings.first?.contains(" dialects[0].previous") == true, "\(findings)")
    }

    @Test func `the word of repeats stands for no number, and no other word does`() {
        for (value, isAllowed) in [
            ("untilUsed", true), ("600", true), ("601", false), ("always", false), ("-1", false),
        ] {
            let text = Self.text(mobile: "algorithm: RS256, refresh: { repeatWithoutKeySeconds: \(value) }")
            #expect(PolicyText.findings(text).isEmpty == isAllowed)
        }
    }
}

/// The Supabase Auth server from which an app moves, whose refresh tokens are exchanged once each.
package struct PreviousServer: Sendable, Equatable {
    /// The URL below which its `/token` is, such as `https://abc.supabase.co/auth/v1`.
    package var url: PublicURL?
    /// When it is no longer asked, in Unix seconds.
    package var until: Int64 = 0
}

extension PreviousServer {
    static let keys: [Key<Self>] = [
        Key(
            "url", optional: \.url, .text(PublicURL.rule), "The URL of its API, with `/auth/v1`.", required: true,
            example: "https://abc.supabase.co/auth/v1"),
        Key(
            "until", \.until, .text(.endOfDay), "The last day in UTC on which its tokens are accepted.", required: true,
            example: "\"2026-12-31\""),
    ]
}

extension Policy {
    /// Roles that no user may have, because they are roles of a Supabase project's database, whose API may take the claim `role` for
    /// one.
    package static func isDatabaseRole(_ role: String) -> Bool {
        ["anon", "service_role", "postgres"].contains(role) || role.hasPrefix("supabase_")
    }

    /// The audience of the tokens of the dialect `supabase`.
    package static let supabaseAudience = "authenticated"
    /// The path below which the dialect `supabase` is, with which its tokens' issuer ends.
    package static let supabasePath = "/auth/v1"

    /// Whether the dialect `supabase` is spoken.
    package var speaksSupabase: Bool { dialects.contains { $0.name == Dialect.supabase } }

    /// Whether the profile is that of the dialect `supabase`, which shares it with no other.
    package func isSupabase(_ profile: TokenProfile) -> Bool {
        dialects.contains { $0.name == Dialect.supabase && $0.profile == profile.name }
    }

    /// The `iss` claim of the tokens of a profile.
    package func issuer(of profile: TokenProfile) -> String {
        isSupabase(profile) ? (publicURL?.text ?? "") + Self.supabasePath : profile.issuer ?? issuer
    }

    /// The `aud` claim of the tokens of a profile.
    package func audience(of profile: TokenProfile) -> String {
        isSupabase(profile) ? Self.supabaseAudience : profile.audience ?? audience
    }
}

extension Policy {
    /// How long the clients of Supabase Auth keep the key set, whatever they are told, in seconds.
    private static let clientKeySetSeconds: Int64 = 600

    /// Refuses what does not go with the dialect `supabase`, and profiles whose tokens another kind of token could be taken for.
    func checkTokenForms(_ root: PolicySection) {
        for profile in profiles where profile.audience?.hasPrefix(audience + "/") == true {
            root.refuse(
                "profiles", item: ".\(profile.name).audience",
                "begins with the policy's audience and a slash, as that of clients' tokens does. Use another one.")
        }
        guard let index = dialects.firstIndex(where: { $0.name == Dialect.supabase }) else { return }
        if publicURL == nil {
            root.refuse(
                "dialects", item: "[\(index)]",
                "supabase needs publicURL, with which the issuer of its tokens begins. Add it to this file.")
        }
        if let origin = dialects[index].previous?.url?.origin, origin.lowercased() == publicURL?.origin.lowercased() {
            root.refuse(
                "dialects", item: "[\(index)].previous.url",
                "is this deployment itself, which would ask itself without end. Use the old server's own address.")
        }
        if signing.jwksMaxAgeSeconds < Self.clientKeySetSeconds {
            root.refuse(
                "signing", item: ".jwksMaxAgeSeconds",
                "clients of the dialect supabase keep the keys for 10 minutes. Use at least \(Self.clientKeySetSeconds)."
            )
        }
        if dialects.contains(where: { $0.name != Dialect.supabase && $0.profile == dialects[index].profile }) {
            root.refuse(
                "dialects", item: "[\(index)].profile",
                "supabase shares no profile, since its tokens have claims of their own. Add a profile for it.")
        }
        for profile in profiles { checkBesideSupabase(profile, root) }
        if audience == Self.supabaseAudience {
            root.refuse("audience", "belongs to the tokens of the dialect supabase. Use another one.")
        }
        refuseDatabaseRoles(root)
    }

    private func checkBesideSupabase(_ profile: TokenProfile, _ root: PolicySection) {
        func refuse(_ key: String, _ problem: String) {
            root.refuse("profiles", item: ".\(profile.name).\(key)", problem)
        }
        if profile.algorithm == "EdDSA" {
            refuse(
                "algorithm",
                "clients of the dialect supabase refuse a key set that has a key for EdDSA. Use ES256, RS256 or HS256.")
        }
        if profile.audience == Self.supabaseAudience {
            refuse("audience", "belongs to the tokens of the dialect supabase. Use another one.")
        }
        guard isSupabase(profile) else { return }
        let fixed = [
            ("claims", !profile.claims.isEmpty), ("mappedClaims", !profile.mappedClaims.isEmpty),
            ("issuer", profile.issuer != nil), ("audience", profile.audience != nil),
        ]
        for (key, isStated) in fixed where isStated {
            refuse(key, "the dialect supabase fixes it. Remove this key.")
        }
    }

    private func refuseDatabaseRoles(_ root: PolicySection) {
        let problem = "is a role of a Supabase project's database. Use a role of another name."
        for (index, route) in routes.enumerated() where route.access.roles.contains(where: Self.isDatabaseRole) {
            root.refuse("routes", item: "[\(index)].access", problem)
        }
        if mfa?.requiredForRoles.contains(where: Self.isDatabaseRole) == true {
            root.refuse("mfa", item: ".requiredForRoles", problem)
        }
        if let role = admin.actAs?.role, Self.isDatabaseRole(role) {
            root.refuse("admin", item: ".actAs.role", problem)
        }
    }
}

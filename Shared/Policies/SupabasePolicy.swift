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

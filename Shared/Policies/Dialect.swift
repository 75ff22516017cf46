/// An API that the gateway understands, and the rules of the codes and sessions that begin there.
package struct Dialect: Sendable, Equatable {
    /// The native API, which every policy has.
    package static let native = "native"
    /// aarokya's API, as its document prints it.
    package static let aarokya = "aarokya"
    /// voltyks' API, as its document prints it.
    package static let voltyks = "voltyks"
    /// gremlin's API, as its document prints it.
    package static let gremlin = "gremlin"
    /// uta's API, as its document prints it.
    package static let uta = "uta"
    /// Supabase Auth's API, as its client libraries call it.
    package static let supabase = "supabase"
    /// Dialects that the gateway has an adapter for.
    package static let knownNames = [native, aarokya, voltyks, gremlin, uta, supabase]

    /// Where the pages of a dialect have their tokens.
    package enum Web: String, Sendable, CaseIterable {
        /// In the page's memory, as an app has them.
        case none
        /// The refresh token in a cookie that no script can read, the access token in the page's memory.
        case refreshCookie
        /// Both in cookies that no script can read.
        case cookies
    }

    package var name = ""
    package var profile = ""
    /// The host, in lower case, at which this dialect serves paths that it shares with others; `nil` if any host.
    package var host: String?
    /// The rules of the dialect's codes: its own, else the policy's.
    package var otp: OTPPolicy
    /// The region of national phone numbers: the dialect's own, else the policy's.
    package var defaultRegion: String?
    package var web = Web.none
    /// The server from which the app moves to the dialect `supabase`; `nil` if there is none.
    package var previous: PreviousServer?
    /// The line of the dialect in the policy file, counted from 1.
    package var line = 0

    /// Whether its users sign in only by password.
    package var signsInByPassword: Bool { [Self.voltyks, Self.gremlin, Self.uta].contains(name) }

    /// The values of `web` that go with the dialect's document.
    package var webChoices: [Web] {
        switch name {
        case Self.aarokya: [.none, .refreshCookie]
        case Self.gremlin: [.none, .cookies]
        case Self.voltyks, Self.supabase: [.none]
        default: Web.allCases
        }
    }

    /// The path below which browsers send a refresh token in a cookie: where it is rotated and where the user signs out, or in
    /// aarokya, whose sign-out takes the bearer, where it is rotated.
    package var refreshCookiePath: String {
        switch name {
        case Self.aarokya: refreshPath
        case Self.gremlin: "/api/auth"
        default: "/auth"
        }
    }

    /// The path that rotates a refresh token.
    package var refreshPath: String {
        switch name {
        case Self.aarokya: "/auth/token/refresh"
        case Self.voltyks: "/api/Auth/RefreshToken"
        case Self.gremlin: "/api/auth/refresh"
        case Self.supabase: "\(Policy.supabasePath)/token"
        default: "/auth/refresh"
        }
    }

    /// Whether the link of a registration confirms it without the password, as uta's document prints it.
    package var confirmsByLink: Bool { name == Self.uta }
}

extension Dialect {
    /// - Parameter policy: The policy as far as it is read.
    static func keys(of policy: Policy) -> [Key<Self>] {
        [
            Key("name", \.name, .text(.oneOf(knownNames)), "", required: true, example: native),
            Key(
                "profile", \.profile, .text(.entry(of: "profiles", policy.profiles.map(\.name))),
                "", required: true, example: "mobile"),
            Key(
                "host", optional: \.host, .text(.domain),
                "The host at which it serves paths that it shares with other dialects, and whose refusals have its shape "
                    + "if the route names no dialect. No two dialects have the same host.",
                example: "api.example.com"),
            Key(
                "otp", \.otp, .section(policy.otp, OTPPolicy.keys, isSparse: true) { $1.checkCodes($0, policy.otp) },
                "Keys of `otp` with other values. Not allowed with `otp: none`.", example: "{ lifetimeSeconds: 600 }"),
            Key(
                "defaultRegion", optional: \.defaultRegion, .text(.region), "Replaces the policy's `defaultRegion`.",
                example: "IN"),
            Key(
                "web", \.web, .choice,
                "Where web pages store their tokens (docs/run/cookies.md). aarokya has no `cookies`, gremlin no "
                    + "`refreshCookie`, voltyks and supabase neither."),
            Key(
                "previous", optional: \.previous, .section(PreviousServer(), PreviousServer.keys),
                "The Supabase project from which an app moves, for the dialect supabase (deploy/docs/app/supabase.md).",
                example: "{ url: \"https://abc.supabase.co/auth/v1\", until: \"2026-12-31\" }"),
        ]
    }

    mutating func check(_ section: PolicySection, of policy: Policy, earlier: [Dialect]) {
        line = section.line
        if !webChoices.contains(web) {
            let allowed = webChoices.map(\.rawValue).joined(separator: " or ")
            section.refuse(
                "web", "\(web.rawValue) does not go with \(name). Use \(allowed) (deploy/docs/run/cookies.md).")
        }
        if previous != nil, name != Self.supabase {
            section.refuse("previous", "belongs to the dialect supabase only. Remove this key.")
        }
        if !policy.sendsCodes, section.has("otp") {
            section.refuse("otp", "does not go with otp: none of the policy. Remove one of the two.")
        }
        if let host, earlier.contains(where: { $0.host == host }) {
            section.refuse("host", "\(host) belongs to another dialect. Name each host once.")
        }
    }
}

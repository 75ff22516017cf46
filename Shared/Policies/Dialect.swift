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
    /// Dialects that the gateway has an adapter for.
    package static let knownNames = [native, aarokya, voltyks, gremlin, uta]

    /// Where the pages of a dialect have their tokens.
    package enum Web: String, Sendable, CaseIterable {
        /// In the page's memory, as an app has them.
        case none
        /// The refresh token in a cookie that no script can read, the access token in the page's memory.
        case refreshCookie
        /// Both in cookies that no script can read.
        case cookies
    }

    package var name: String
    package var profile: String
    /// The host, in lower case, at which this dialect serves paths that it shares with others; `nil` if any host.
    package var host: String?
    /// The rules of the dialect's codes: its own, else the policy's.
    package var otp: OTPPolicy
    /// The region of national phone numbers: the dialect's own, else the policy's.
    package var defaultRegion: String?
    package var web = Web.none
    /// The line of the dialect in the policy file, counted from 1.
    package var line = 0

    /// Whether its users sign in only by password.
    package var signsInByPassword: Bool { [Self.voltyks, Self.gremlin, Self.uta].contains(name) }

    /// The values of `web` that go with the dialect's document.
    package var webChoices: [Web] {
        switch name {
        case Self.aarokya: [.none, .refreshCookie]
        case Self.gremlin: [.none, .cookies]
        case Self.voltyks: [.none]
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
        default: "/auth/refresh"
        }
    }

    /// Whether the link of a registration confirms it without the password, as uta's document prints it.
    package var confirmsByLink: Bool { name == Self.uta }
}

extension Dialect {
    /// One item of the list `dialects`, whose order decides where two dialects share a path and their bodies do not:
    /// - `name` one of native, aarokya, voltyks, gremlin, uta, required
    /// - `profile` name of an entry of `profiles`, required
    /// - `host` a host name in lower case that no other dialect has, default none
    /// - `otp` section, see `OTPPolicy`, default the policy's; a key that it lacks is the policy's. Not allowed if the policy
    ///   has none.
    /// - `defaultRegion` two capital letters of a known region, default the policy's
    /// - `web` none, refreshCookie or cookies, default none; aarokya has no cookies, gremlin no refreshCookie, voltyks neither
    ///
    /// - Parameters:
    ///   - otp: The policy's.
    ///   - defaultRegion: The policy's.
    init(reading section: PolicySection, profiles: [String], otp: OTPPolicy, defaultRegion: String?) {
        self.init(name: "", profile: "", otp: otp, defaultRegion: defaultRegion, line: section.line)
        section.requiredText("name", .oneOf(Self.knownNames), into: &name)
        section.requiredText("profile", .oneOf(profiles), into: &profile)
        section.text("host", .domain, into: &host)
        section.section("otp") { self.otp = OTPPolicy(reading: $0, over: otp) }
        section.text("defaultRegion", .region, into: &self.defaultRegion)
        section.choice("web", into: &web)
        if !webChoices.contains(web) {
            let allowed = webChoices.map(\.rawValue).joined(separator: " or ")
            section.refuse(
                "web", "\(web.rawValue) does not go with \(name). Use \(allowed) (deploy/docs/run/cookies.md).")
        }
    }
}

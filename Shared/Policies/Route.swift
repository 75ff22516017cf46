/// One row of the table that specifies which requests reach which upstream, and which clients may send them.
package struct Route: Sendable, Equatable {
    /// The clients that may use a route; there is no default.
    package enum Access: Sendable, Equatable {
        /// Every client; tokens are not read.
        case open
        /// Every client. A token must be valid and unrevoked, and identifies the user to the upstream.
        case optional
        /// Clients with a valid, unrevoked access token.
        case bearer
        /// Clients with a valid, unrevoked access token whose user has one of these roles.
        case role([String])
        /// Back ends and jobs with a valid, unrevoked token of their own; no user.
        case client
    }

    package var pattern: RoutePattern
    package var upstream: String
    package var access: Access
    package var methods: [String]?
    package var bodyBytesMax: Int64? = 1_073_741_824
    package var timeoutSeconds: Int64 = 30
    package var totalSeconds: Int64?
    package var stripPrefix = false
    package var isExact = false
    package var keepAuthorization = false
    package var limit: Limit?
    package var dialect: String?
    package var identityAudience: String?
    /// The headers that have claims of the user.
    package var claimHeaders: [ClaimHeader] = []
    /// The longest time since the user last showed who they are, in seconds (RFC 9470).
    package var maxAgeSeconds: Int64?
    /// The level that the user must have reached in the session (RFC 9470).
    package var acr: AuthenticationLevel?
    /// The authentication that the session must have.
    package var amr: AuthenticationMethod?
    /// The methods that a person who acts as a user may send; `nil` if their tokens are refused.
    package var actAs: Acting?
    /// Whether its requests open WebSockets (RFC 6455).
    package var webSocket = false
    /// Whether its responses stay open for as long as they are of use, such as server-sent events.
    package var live = false
    /// The seconds without a byte after which a WebSocket or a live response ends; `nil` for the usual ones.
    package var idleSeconds: Int64?
    /// The line of the route in the policy file, counted from 1.
    package var line = 0

    package init(pattern: RoutePattern, upstream: String, access: Access) {
        self.pattern = pattern
        self.upstream = upstream
        self.access = access
    }

    /// The pattern as the policy states it, e.g. `/api/**`.
    package var path: String { pattern.text }
}

extension Route {
    /// The seconds without a byte after which a WebSocket or a live response ends, unless the route states others.
    package static let usualIdleSeconds: Int64 = 60
    static let methodNames = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    /// The paths of the native API, which every policy has; a route of the app below them would never apply.
    static let ownPaths = ["/auth", "/oauth", "/sessions", "/users/me", "/webhooks"]

    static func keys(of policy: Policy) -> [Key<Self>] {
        [
            Key(
                "path", \.pattern, .text(RoutePattern.rule),
                "The paths. The first matching route counts, so put narrower ones first; no match is 404.",
                required: true, example: "/api/**"),
            Key(
                "upstream", \.upstream, .text(.entry(of: "upstreams", policy.upstreams.keys.sorted())),
                "The app's API to which requests are passed on.", required: true, example: "app"),
            Key(
                "access", \.access, .access,
                "The clients that may use it. `open`: all, tokens are not read; `optional`: all, but a token must be valid; "
                    + "`bearer`: those with a valid token; `client`: back ends and jobs with a token of their own; or those whose "
                    + "user has one of these roles.",
                required: true, example: "bearer"),
            Key(
                "methods", optional: \.methods, .values(1...methodNames.count, .oneOf(methodNames)),
                "The methods that are passed on; default all.", example: "[GET, POST]"),
            Key(
                "bodyBytesMax", \.bodyBytesMax, .orNone(.integer(0...1_099_511_627_776)), "The bytes of a body."),
            Key(
                "timeoutSeconds", \.timeoutSeconds, .integer(1...3_600),
                "The seconds without any progress, while the gateway waits for the upstream."),
            Key(
                "totalSeconds", \.totalSeconds, .orNone(.integer(1...86_400)),
                "The seconds from the end of the request's head to the end of the response."),
            Key(
                "stripPrefix", \.stripPrefix, .flag,
                "Whether the pattern's literal prefix is removed from the path that the upstream sees."),
            Key(
                "exact", \.isExact, .flag, "Whether weaker routes may pass on other spellings of this one's paths."),
            Key("keepAuthorization", \.keepAuthorization, .flag, "Whether the upstream sees `Authorization`."),
            Key("limit", \.limit, "How often one user or IP address may use the route.") {
                .limit(mayLackUser: [.open, .optional].contains($0.access))
            },
            Key(
                "dialect", optional: \.dialect, .text(.entry(of: "dialects", policy.dialects.map(\.name))),
                "The shape of the gateway's refusals; default that of the host, else the first of `dialects`.",
                example: Dialect.native),
            Key(
                "identityAudience", optional: \.identityAudience, .text(.identifier),
                "The `aud` of X-Latchkey-Identity, a signed proof of the user that the upstream gets.",
                example: "app-api"),
            Key(
                "claimHeaders", \.claimHeaders,
                .claimHeaders(Set(policy.profiles.flatMap(\.mappedClaims).map(\.name)).sorted()),
                "Request headers with mapped claims of the user, by their names; a client's own are removed on every route "
                    + "(docs/app/metadata.md).",
                example: "{ X-Plan: plan }"),
            Key(
                "maxAgeSeconds", optional: \.maxAgeSeconds, .integer(60...31_536_000),
                "The most seconds since the user last showed who they are; an older token is 401 (docs/app/account.md). Needs "
                    + "the claim `auth_time` in every profile.",
                example: "300"),
            Key(
                "acr", optional: \.acr, .choice,
                "The level that the session needs: after a second factor, or a passkey that verified its user. Other tokens are 401 "
                    + "(docs/app/account.md). Needs the claim `acr` in every profile.",
                example: "aal2"),
            Key(
                "amr", optional: \.amr, .choice,
                "What the user must have shown in the session: `pop` is a passkey. Other tokens are 401. Needs the claim `amr` in "
                    + "every profile.",
                example: "pop"),
            Key(
                "actAs", optional: \.actAs, .choice,
                "Also accepts those who act as a user (docs/run/admin-api.md): `read` with GET, HEAD and OPTIONS, `write` with every "
                    + "method. Needs `admin.actAs`.",
                example: "read"),
            Key(
                "webSocket", \.webSocket, .flag,
                "Whether requests open WebSockets. Such a route accepts nothing else, in GET and HTTP/1.1 only."),
            Key(
                "live", \.live, .flag,
                "Whether responses stay open, such as server-sent events: after it has begun, a response ends after "
                    + "`idleSeconds` instead of `timeoutSeconds`."),
            Key(
                "idleSeconds", optional: \.idleSeconds, .integer(1...86_400),
                "The seconds without a byte from the upstream (`live`), or in both directions (`webSocket`), after which the "
                    + "connection is closed; default \(usualIdleSeconds).",
                example: "300"),
        ]
    }

    mutating func check(_ section: PolicySection, earlier: [Route]) {
        line = section.line
        if identityAudience != nil, access == .open {
            section.refuse(
                "identityAudience", "an open route has no user to identify. Remove this key, or use another access.")
        }
        checkClaimHeaders(section)
        for (key, _) in claimedKeys where [.open, .optional, .client].contains(access) {
            section.refuse(key, "requests of this route may have no user. Remove this key, or use bearer or roles.")
        }
        if actAs != nil, [.open, .client].contains(access) {
            section.refuse("actAs", "requests of this route have no user. Remove this key, or use another access.")
        }
        if actAs != nil, let (key, claim) = claimedKeys.first {
            section.refuse(
                "actAs", "a token of a person who acts as a user has no \(claim). Remove this key or \(key).")
        }
        checkLong(section)
        if let own = Self.ownPath(of: path) {
            section.refuse("path", "\(path) is not allowed; \(own) is Latchkey's own")
        }
        if let hider = earlier.first(where: { $0.hides(self) }) {
            section.refuse(
                "path",
                "\(path) never gets a request, because \(hider.path) above it matches them all. Move it above that.")
        }
    }

    /// Checks the keys of WebSockets and live responses, and restricts a WebSocket's route to GET.
    private mutating func checkLong(_ section: PolicySection) {
        if webSocket, live {
            section.refuse("live", "a route is either webSocket or live. Remove one of them, or use two routes.")
        }
        if webSocket, methods != nil, methods != ["GET"] {
            section.refuse("methods", "a webSocket route accepts GET only. Use [GET], or remove this key.")
        }
        if webSocket, actAs == .read {
            section.refuse("actAs", "a WebSocket is not only read. Use write, or remove this key.")
        }
        if idleSeconds != nil, !webSocket, !live {
            section.refuse("idleSeconds", "applies only with webSocket or live. Add one of them, or remove this key.")
        }
        if webSocket { methods = ["GET"] }
    }

    /// The path of Latchkey's own API that `path` is, or is below.
    static func ownPath(of path: String) -> String? { ownPaths.first { path == $0 || path.hasPrefix($0 + "/") } }

    /// Whether `other` after this route would never apply, so that its access would have no effect.
    func hides(_ other: Route) -> Bool {
        guard pattern.covers(other.pattern) else { return false }
        guard let methods else { return true }
        return other.methods.map { Set($0).isSubset(of: methods) } ?? false
    }
}

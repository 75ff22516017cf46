/// The API with which administrators manage users.
package struct AdminPolicy: Sendable, Equatable {
    /// Whether the API is on; if not, its paths do not exist.
    package var api = false
    /// Whether the gateway passes requests to the console on. It needs the API.
    package var console = false
    /// The client IP addresses that may use it; empty if every one may.
    package var addresses: [CIDR] = []
    package var withinSeconds: Int64 = 300
    package var limit = RateLimit(max: 300, windowSeconds: 60)
    /// The rule for acting as users; `nil` if no user may.
    package var actAs: ActAs?

    /// The rule for those who act as users.
    package struct ActAs: Sendable, Equatable {
        /// The role that allows it, and nothing else of the API.
        package var role: String
    }

    /// The paths of the console.
    package static let consolePattern = RoutePattern(literal: "/console/**")

    package init() {}

    /// Whether requests of a client may reach the API.
    ///
    /// - Parameters:
    ///   - address: the client's IP address; a text that is none is admitted only where every address is.
    ///   - trustedProxies: the proxies, none of which is a client. A proxy that states no client is not admitted.
    package func admits(_ address: String, trustedProxies: [CIDR]) -> Bool {
        guard !addresses.isEmpty else { return true }
        guard let address = IPAddress(address), !trustedProxies.contains(where: { $0.contains(address) }) else {
            return false
        }
        return addresses.contains { $0.contains(address) }
    }
}

extension AdminPolicy {
    static let keys: [Key<Self>] = [
        Key("api", \.api, .flag, "Whether the paths under /admin exist (docs/run/admin-api.md)."),
        Key(
            "console", \.console, .flag,
            "Whether administrators' pages are at /console; needs `api` (docs/run/console.md)."),
        Key(
            "addresses", \.addresses, .values(0...64, CIDR.rule),
            "The client IP addresses that may use them; for all others they do not exist. Empty: every address."),
        Key(
            "withinSeconds", \.withinSeconds, .integer(60...86_400),
            "The seconds for which a sign-in of an administrator, or a proof at POST /auth/reauthenticate, allows changes."
        ),
        Key("limit", \.limit, .limit(), "Requests of one administrator."),
        Key(
            "actAs", optional: \.actAs, .section(ActAs(role: ""), ActAs.keys),
            "Lets users with a role of its own act as other users for 15 minutes, on routes with `actAs` (docs/run/admin-api.md).",
            example: "{ role: support }"),
    ]
}

extension AdminPolicy.ActAs {
    /// The roles of administrators and of users without another one, which would be too many people.
    private static let others = ["admin", "user"]

    fileprivate static let keys: [Key<Self>] = [
        Key(
            "role", \.role,
            .text(
                TextRule("1 to 64 of A-Z a-z 0-9 _ -, neither admin nor user") { text in
                    TextRule.name.parse(text) != nil && !others.contains(text)
                }), "The role. A user who has it, or the role `admin`, cannot be acted as.", required: true,
            example: "support")
    ]
}

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
    }

    package var pattern: RoutePattern
    package var upstream: String
    package var access: Access
    /// The methods that are passed on; `nil` if all that the gateway knows are.
    package var methods: [String]?
    /// `nil` if bodies of any length are streamed.
    package var bodyBytesMax: Int64? = 1_073_741_824
    /// The seconds without any progress, while the gateway waits for the upstream.
    package var timeoutSeconds: Int64 = 30
    /// The seconds from the end of the request's head to the end of the response; `nil` if there is no bound while data moves.
    package var totalSeconds: Int64?
    /// Whether the pattern's literal prefix is removed from the path that the upstream sees.
    package var stripPrefix = false
    /// Whether a weaker route may pass on paths that are spelled otherwise but that an upstream may read as this route's.
    package var isExact = false
    /// Whether the upstream sees `Authorization`.
    package var keepAuthorization = false
    /// How often one user or IP address may use the route; `nil` if it is not limited.
    package var limit: Limit?
    /// The dialect in whose form the gateway refuses requests of this route; `nil` for the policy's first.
    package var dialect: String?
    /// The `aud` of the proof of identity that the upstream gets (`X-Latchkey-Identity`); `nil` if none is sent.
    package var identityAudience: String?
    /// The line of the route in the policy file, counted from 1.
    package var line = 0

    /// A limit, and the requests that it counts together.
    package struct Limit: Sendable, Equatable {
        /// The sender by which requests are counted.
        package enum Caller: String, Sendable, CaseIterable {
            /// The signed-in user.
            case user
            /// The client's IP address (IPv6: /64).
            case address
        }

        package var rate: RateLimit
        package var caller: Caller
    }

    package init(pattern: RoutePattern, upstream: String, access: Access) {
        self.pattern = pattern
        self.upstream = upstream
        self.access = access
    }

    /// The pattern as the policy states it, e.g. `/api/**`.
    package var path: String { pattern.text }
}

extension Route {
    static let methodNames = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    /// The paths of the native API, which every policy has; a route of the app below them would never apply.
    static let ownPaths = ["/auth", "/oauth", "/sessions", "/users/me", "/webhooks"]

    /// One item of the list `routes`; the first route that fits a request applies:
    /// - `path` pattern, see `RoutePattern`, required
    /// - `upstream` name of an entry of `upstreams`, required
    /// - `access` one of the words open, optional and bearer, or a section with `role`, a list of 1...16 role names; required
    /// - `methods` list of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, default all
    /// - `bodyBytesMax` integer, 0...1,099,511,627,776 (1 TiB), or none, default 1,073,741,824 (1 GiB)
    /// - `timeoutSeconds` integer, 1...3,600, default 30
    /// - `totalSeconds` integer, 1...86,400, or none, default none
    /// - `stripPrefix` true or false, default false
    /// - `exact` true or false, default false
    /// - `keepAuthorization` true or false, default false
    /// - `limit` section with `max` (1...1,000,000), `windowSeconds` (1...604,800), `per` (user, which needs the access bearer
    ///   or a role, or address; default user where that is possible), or none, default none
    /// - `dialect` name of an entry of `dialects`, default the first
    /// - `identityAudience` text of 1 to 256 visible ASCII characters, for every access but open, default none
    init(reading section: PolicySection, upstreams: [String], dialects: [String]) {
        self.init(pattern: .none, upstream: "", access: .bearer)
        line = section.line
        section.requiredValue("path", RoutePattern.rule, into: &pattern)
        section.requiredText("upstream", .oneOf(upstreams), into: &upstream)
        readAccess(section)
        section.values("methods", count: 1...Self.methodNames.count, .oneOf(Self.methodNames), into: &methods)
        section.integerOrNone("bodyBytesMax", in: 0...1_099_511_627_776, into: &bodyBytesMax)
        section.integer("timeoutSeconds", in: 1...3_600, into: &timeoutSeconds)
        section.integerOrNone("totalSeconds", in: 1...86_400, into: &totalSeconds)
        section.flag("stripPrefix", into: &stripPrefix)
        section.flag("exact", into: &isExact)
        section.flag("keepAuthorization", into: &keepAuthorization)
        readLimit(section)
        section.text("dialect", .oneOf(dialects), into: &dialect)
        section.text("identityAudience", .identifier, into: &identityAudience)
        if identityAudience != nil, access == .open {
            section.refuse(
                "identityAudience", "an open route has no user to identify. Remove this key, or use another access.")
        }
        if let own = Self.ownPath(of: path) {
            section.refuse("path", "\(path) is not allowed; \(own) is Latchkey's own")
        }
    }

    /// The path of Latchkey's own API that `path` is, or is below.
    static func ownPath(of path: String) -> String? { ownPaths.first { path == $0 || path.hasPrefix($0 + "/") } }

    /// Whether `other` after this route would never apply, so that its access would have no effect.
    func hides(_ other: Route) -> Bool {
        guard pattern.covers(other.pattern) else { return false }
        guard let methods else { return true }
        return other.methods.map { Set($0).isSubset(of: methods) } ?? false
    }

    private mutating func readLimit(_ section: PolicySection) {
        let mayLackUser = access == .open || access == .optional
        section.sectionOrNone("limit", into: &limit) { section in
            var caller = mayLackUser ? Limit.Caller.address : .user
            section.choice("per", into: &caller)
            if mayLackUser, caller == .user {
                section.refuse("per", "user is not allowed; requests of this route may have no user")
            }
            return Limit(rate: RateLimit(reading: section), caller: caller)
        }
    }

    private mutating func readAccess(_ section: PolicySection) {
        var word: String?
        var roles: [String] = []
        section.wordOrSection("access", words: ["open", "optional", "bearer"], into: &word) {
            $0.requiredValues("role", count: 1...16, .name, into: &roles)
        }
        access =
            switch word {
            case "open": .open
            case "optional": .optional
            case nil: .role(roles)
            case _?: .bearer
            }
    }
}

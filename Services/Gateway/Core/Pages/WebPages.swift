import EdgeHTTP
import Policies

/// The web pages whose sessions this deployment keeps in cookies: which requests are theirs, and under which names.
struct WebPages: Sendable {
    private let dialects: [PageDialect]
    private let origins: Set<String>
    /// The origin, host and path of the public URL; `nil` or empty if it is unknown.
    private let publicOrigin: String?
    private let publicHost: String?
    private let publicPath: String
    private let isDevelopment: Bool

    /// Creates the pages of a policy, or returns `nil` if no dialect keeps tokens in cookies.
    ///
    /// - Parameter publicURL: the URL at which clients reach the deployment; `nil` if it is unknown.
    init?(_ policy: Policy, publicURL: PublicURL?, in environment: DeploymentEnvironment) {
        dialects = policy.dialects.filter { $0.web != .none }.map {
            PageDialect(
                name: $0.name, host: $0.host, isPublic: $0.host == nil || $0.host == publicURL?.host,
                keepsAccess: $0.web == .cookies, refreshCookiePath: $0.refreshCookiePath)
        }
        guard !dialects.isEmpty else { return nil }
        origins = Set(policy.cookies.origins)
        (publicOrigin, publicHost, publicPath) = (publicURL?.origin, publicURL?.host, publicURL?.path ?? "")
        isDevelopment = environment == .development
    }

    /// Returns the part that cookies play in a request, or `nil` if they play none: its host has no dialect with cookies, or it came
    /// without TLS. On loopback, development does without.
    func request(_ head: RequestHead, over scheme: ForwardedScheme) -> PageRequest? {
        guard let host = head.hostName else { return nil }
        let isLocal = isDevelopment && IPAddress.isLoopback(host: host.trimmingBrackets)
        guard scheme == .https || isLocal, let dialect = dialect(at: host) else { return nil }
        let names = scheme == .https ? CookieNames.secure : .plain
        let origin = origin(of: head, over: scheme, at: dialect) { isLocal || isKnown(host, of: dialect) }
        return PageRequest(
            dialect: dialect, names: names, basePath: dialect.isPublic ? publicPath : "",
            cookies: PageCookies(head.block, named: names), origin: origin)
    }

    /// Whether pages at the host of a request have their access token in a cookie.
    func keepsAccess(at head: RequestHead) -> Bool {
        dialects.contains(where: \.keepsAccess) && head.hostName.flatMap(dialect(at:))?.keepsAccess == true
    }

    private func dialect(at host: String) -> PageDialect? {
        dialects.first { $0.host == host } ?? dialects.first { $0.host == nil }
    }

    /// Whether the API is at `host`: if neither the dialect nor the public URL has a host, it is where the request was sent to.
    private func isKnown(_ host: String, of dialect: PageDialect) -> Bool {
        let known = [dialect.host, publicHost].compactMap { $0 }
        return known.isEmpty || known.contains(host.trimmingBrackets)
    }

    /// - Parameter isOurs: whether the request's `Host` is the API's; called only if it decides.
    private func origin(
        of head: RequestHead, over scheme: ForwardedScheme, at dialect: PageDialect, isOurs: () -> Bool
    ) -> CrossSiteRule.Origin {
        guard let origin = head.text("origin") else { return head.all("origin").isEmpty ? .none : .other }
        if origins.contains(origin) { return .allowed }
        if dialect.isPublic, origin == publicOrigin { return .allowed }
        return origin == head.ownOrigin(over: scheme) && isOurs() ? .allowed : .other
    }
}

extension RequestHead {
    /// The origin of pages from the host that the request was sent to, as browsers write it.
    func ownOrigin(over scheme: ForwardedScheme) -> String? {
        guard let authority = text("host")?.lowercased() else { return nil }
        let usualPort = scheme == .https ? ":443" : ":80"
        return "\(scheme.rawValue)://"
            + (authority.hasSuffix(usualPort) ? String(authority.dropLast(usualPort.count)) : authority)
    }
}

extension String {
    /// An IPv6 address without its brackets.
    var trimmingBrackets: String { hasPrefix("[") ? String(dropFirst().prefix { $0 != "]" }) : self }
}

import EdgeHTTP
import Policies

/// A route of the app's API.
struct AppRoute: Sendable {
    let policy: Policies.Route
    let upstream: UpstreamGroup
    /// Whether it leads to the console.
    let isConsole: Bool
    /// The authentication that the route needs; `nil` if every valid token is enough.
    let authentication: RequiredAuthentication?

    /// - Parameter mfa: the policy's section, whose roles need a second factor.
    init(
        policy: Policies.Route, upstream: UpstreamGroup, isConsole: Bool = false, mfa: SecondFactorPolicy? = nil
    ) {
        self.policy = policy
        self.upstream = upstream
        self.isConsole = isConsole
        authentication = RequiredAuthentication(policy, mfa)
    }

    /// Returns the path and query that the upstream gets.
    func target(of head: RequestHead) -> [UInt8] {
        guard policy.stripPrefix else { return Array(head.target) }
        let rest = head.target.dropFirst(policy.pattern.literalPrefix.utf8.count)
        return rest.first == UInt8(ascii: "/") ? Array(rest) : [UInt8(ascii: "/")] + rest
    }
}

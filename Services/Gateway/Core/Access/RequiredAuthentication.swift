import AccessTokens
import Policies

/// How, and how recently, the user of a route's requests must have shown who they are (RFC 9470). Only the token is read.
struct RequiredAuthentication: Sendable, Equatable {
    /// The longest time since then, in seconds.
    var maxAgeSeconds: Int64?
    var level: AuthenticationLevel?
    var method: AuthenticationMethod?
    /// The roles whose users need `aal2` here (`mfa.requiredForRoles`).
    var roles: Set<String> = []

    /// Creates the requirement of a route, or returns `nil` if it has none, as most routes.
    init?(_ route: Policies.Route, _ mfa: SecondFactorPolicy?) {
        (maxAgeSeconds, level, method) = (route.maxAgeSeconds, route.acr, route.amr)
        roles = Set(route.access.roles).intersection(mfa?.requiredForRoles ?? [])
        if self == RequiredAuthentication() { return nil }
    }

    init(maxAgeSeconds: Int64? = nil, level: AuthenticationLevel? = nil, method: AuthenticationMethod? = nil) {
        (self.maxAgeSeconds, self.level, self.method) = (maxAgeSeconds, level, method)
    }

    /// The part that a token lacks.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: the reason, and the challenge for the client; `nil` if the token is enough.
    func refusal(of token: TokenIdentity, now: Int64) -> (EdgeVerdict.Rejection, RequiredAuthentication)? {
        var needed = self
        if let role = token.role, roles.contains(role) { needed.level = .aal2 }
        if needed.level != nil, !token.isMultiFactor { return (.authenticationLevel, needed) }
        if method == .pop, !token.showsPasskey { return (.authenticationLevel, needed) }
        if let maxAgeSeconds, !token.isAuthenticated(within: maxAgeSeconds, now: now) {
            return (.authenticationAge, needed)
        }
        return nil
    }

    /// The challenge of a 401 (RFC 9470 section 3), which names everything that a step-up has to bring.
    var challenge: String {
        "Bearer error=\"insufficient_user_authentication\""
            + (level.map { ", acr_values=\"\($0.rawValue)\"" } ?? "")
            + (maxAgeSeconds.map { ", max_age=\"\($0)\"" } ?? "")
    }
}

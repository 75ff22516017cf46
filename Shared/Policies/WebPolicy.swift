/// The sessions of web pages, in every dialect that keeps them in cookies.
package struct WebPolicy: Sendable, Equatable {
    /// The seconds until an unused refresh token of a page expires; `nil` if it is as in the profile.
    package var idleLifetimeSeconds: Int64?
    /// How long before the newest refresh another tab may have replaced a token that is still answered with the newest one, in
    /// seconds; 0 if only the token before the newest one is.
    package var lateTabSeconds: Int64 = 120

    package init() {}
}

extension WebPolicy {
    /// Section `web`:
    /// - `idleLifetimeSeconds` integer, 300...7,776,000 (90 days), or none, default none: that of the profile
    /// - `lateTabSeconds` integer, 0...600, default 120
    init(reading section: PolicySection) {
        section.integerOrNone("idleLifetimeSeconds", in: 300...7_776_000, into: &idleLifetimeSeconds)
        section.integer("lateTabSeconds", in: 0...600, into: &lateTabSeconds)
    }
}

extension RefreshPolicy {
    /// The rules for a page's session.
    package func ofPage(_ web: WebPolicy) -> RefreshPolicy {
        var policy = self
        if let seconds = web.idleLifetimeSeconds { policy.idleLifetimeSeconds = seconds }
        return policy
    }
}

/// The sessions of web pages, in every dialect that keeps them in cookies.
package struct WebPolicy: Sendable, Equatable {
    package var idleLifetimeSeconds: Int64?
    package var lateTabSeconds: Int64 = 120

    package init() {}
}

extension WebPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "idleLifetimeSeconds", \.idleLifetimeSeconds, .orNone(.integer(300...7_776_000)),
            "The seconds until an unused refresh token of a page expires; `none`: as in the profile."),
        Key(
            "lateTabSeconds", \.lateTabSeconds, .integer(0...600),
            "How long before the newest refresh another tab may have replaced a refresh token that is still answered."),
    ]
}

extension RefreshPolicy {
    /// The rules for a page's session.
    package func ofPage(_ web: WebPolicy) -> RefreshPolicy {
        var policy = self
        if let seconds = web.idleLifetimeSeconds { policy.idleLifetimeSeconds = seconds }
        return policy
    }
}

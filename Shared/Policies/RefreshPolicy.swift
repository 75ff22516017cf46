/// The form, lifetimes and reuse rule of a profile's refresh tokens (design section 5).
package struct RefreshPolicy: Sendable, Equatable {
    /// The effect of a second use of a refresh token.
    package enum Reuse: String, Sendable, CaseIterable {
        /// The whole session is revoked.
        case revoke
        /// The token is refused and audited; the session stays active.
        case refuse
    }

    package var prefix = ""
    package var idleLifetimeSeconds: Int64 = 2_592_000
    package var absoluteLifetimeSeconds: Int64? = 7_776_000
    package var sliding = true
    package var onReuse = Reuse.revoke
    /// `untilUsed` stands for as long as the repeated response's token is unused.
    package var repeatWithoutKeySeconds: Int64 = 0
    package var lateRepeatsMax: Int64?
    package var limit: RateLimit? = RateLimit(max: 30, windowSeconds: 60)

    package init() {}

    package static let untilUsed = Int64.max

    /// Whether the lost response is sent again however late, as long as its token is unused.
    package var repeatsUntilUsed: Bool { repeatWithoutKeySeconds == Self.untilUsed }
}

extension RefreshPolicy {
    static let keys: [Key<Self>] = [
        Key("prefix", \.prefix, .text(.tokenPrefix), "The text before the 64 hex digits of a refresh token."),
        Key(
            "idleLifetimeSeconds", \.idleLifetimeSeconds, .integer(300...7_776_000),
            "The seconds until an unused refresh token expires."),
        Key(
            "absoluteLifetimeSeconds", \.absoluteLifetimeSeconds, .orNone(.integer(300...31_536_000)),
            "The seconds from sign-in until the session can no longer be refreshed."),
        Key("sliding", \.sliding, .flag, "Whether each rotation restarts the idle lifetime."),
        Key(
            "onReuse", \.onReuse, .choice,
            "The effect of a second use of a token: `revoke` the session, or `refuse` only the token."),
        Key(
            "repeatWithoutKeySeconds", \.repeatWithoutKeySeconds, .integer(0...600, or: "untilUsed", untilUsed),
            "How long a response is repeated without an Idempotency-Key; `untilUsed`: as long as its token is unused, with or "
                + "without one."),
        Key(
            "lateRepeatsMax", \.lateRepeatsMax, .orNone(.integer(2...1_000)),
            "The session is revoked when this many refreshes in a row were repeated more than a minute late "
                + "(docs/why/threat-model.md)."),
        Key("limit", \.limit, .orNone(.limit()), "Refreshes of one user."),
    ]

    func check(_ section: PolicySection) {
        guard let absoluteLifetimeSeconds, absoluteLifetimeSeconds < idleLifetimeSeconds else { return }
        let allowed = "at least idleLifetimeSeconds (\(idleLifetimeSeconds))"
        section.refuse("absoluteLifetimeSeconds", "\(absoluteLifetimeSeconds) is not allowed. Use \(allowed).")
    }
}

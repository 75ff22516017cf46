/// The form, lifetimes and reuse rule of a profile's refresh tokens (design section 5).
package struct RefreshPolicy: Sendable, Equatable {
    /// The effect of a second use of a refresh token.
    package enum Reuse: String, Sendable, CaseIterable {
        /// The whole session is revoked.
        case revoke
        /// The token is refused and audited; the session stays active.
        case refuse
    }

    /// The text before the 64 hex digits of the token.
    package var prefix = ""
    /// The seconds until an unused refresh token expires.
    package var idleLifetimeSeconds: Int64 = 2_592_000
    /// The seconds from sign-in until the session can no longer be refreshed; `nil` if there is no such bound.
    package var absoluteLifetimeSeconds: Int64? = 7_776_000
    /// Whether each rotation starts `idleLifetimeSeconds` again; otherwise it counts from sign-in.
    package var sliding = true
    package var onReuse = Reuse.revoke
    /// The seconds for which a used token yields the same successor without an `Idempotency-Key`, while that successor is
    /// unused; 0 if never.
    package var repeatWithoutKeySeconds: Int64 = 0
    /// The number of successive late repeats that revokes a session; `nil` if repeats do not.
    package var lateRepeatsMax: Int64?
    /// Refreshes of one user; `nil` if they are not limited.
    package var limit: RateLimit? = RateLimit(max: 30, windowSeconds: 60)

    package init() {}
}

extension RefreshPolicy {
    /// Section `refresh` of a profile:
    /// - `prefix` text of at most 16 of `A-Z a-z 0-9 _ -`, default empty
    /// - `idleLifetimeSeconds` integer, 300...7,776,000 (90 days), default 2,592,000 (30 days)
    /// - `absoluteLifetimeSeconds` integer, 300...31,536,000 (365 days), or none, default 7,776,000 (90 days)
    /// - `sliding` true or false, default true
    /// - `onReuse` revoke or refuse, default revoke
    /// - `repeatWithoutKeySeconds` integer, 0...600, default 0
    /// - `lateRepeatsMax` integer, 2...1,000, or none, default none
    /// - `limit` section (`max`, `windowSeconds`) per user, or none, default 30 a minute
    init(reading section: PolicySection) {
        section.text("prefix", .tokenPrefix, into: &prefix)
        section.integer("idleLifetimeSeconds", in: 300...7_776_000, into: &idleLifetimeSeconds)
        section.integerOrNone("absoluteLifetimeSeconds", in: 300...31_536_000, into: &absoluteLifetimeSeconds)
        section.flag("sliding", into: &sliding)
        section.choice("onReuse", into: &onReuse)
        section.integer("repeatWithoutKeySeconds", in: 0...600, into: &repeatWithoutKeySeconds)
        section.integerOrNone("lateRepeatsMax", in: 2...1_000, into: &lateRepeatsMax)
        section.sectionOrNone("limit", into: &limit, RateLimit.init(reading:))
        if let absoluteLifetimeSeconds, absoluteLifetimeSeconds < idleLifetimeSeconds {
            let allowed = "at least idleLifetimeSeconds (\(idleLifetimeSeconds))"
            section.refuse(
                "absoluteLifetimeSeconds", "\(absoluteLifetimeSeconds) is not allowed. Use \(allowed).")
        }
    }
}

import CoreMetrics
import InternalAPI
import ServiceKit

/// Records from where users sign in, and reports sign-ins from unknown devices in unknown networks.
///
/// Its changes join the transaction of the sign-in.
struct SignInWatch: Sendable {
    private static let counter = "auth_anomalies_total"

    let rule: NewDeviceRule
    let tags: OriginTags
    let notices: AccountNotices

    /// The changes at a sign-in of a user.
    ///
    /// - Parameters:
    ///   - client: the client; `nil` if the gateway stated none.
    ///   - facts: the facts with the user's known devices and networks; they have none if the user is new.
    ///   - now: Unix time in seconds.
    func signIn(
        _ user: User, from client: SignInOrigin?, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<IsNewDevice> {
        guard let client else { return Verdict(false) }
        let known = facts.holder?.id == user.id ? facts.knownOrigins : []
        let decision = rule.signIn(
            tags.origins(of: client, user.id, now: now), known, isUnderReview: facts.reviewedSince != nil, now: now)
        return Verdict(decision.isAnomaly, try changes(decision, user, origin, now))
    }

    typealias IsNewDevice = Bool

    private func changes(
        _ decision: NewDeviceRule.Decision, _ user: User, _ origin: RequestOrigin, _ now: Int64
    ) throws -> [UserChange] {
        var changes: [UserChange] = []
        if !decision.forgotten.isEmpty { changes.append(.forgetOrigins(decision.forgotten, of: user.id)) }
        if !decision.noted.isEmpty { changes.append(.noteOrigins(decision.noted, of: user.id)) }
        if decision.isAnomaly { changes.append(.audit(AuditEntry(.newDevice, user, origin))) }
        if decision.isNotified { changes += try notices.ofChange(.newDevice, to: user, now) }
        if let since = decision.reviewSince {
            changes += [
                .openReview(of: user.id, since: since),
                .audit(AuditEntry(.accountReviewOpened, user, origin, detail: "new devices")),
            ]
        }
        return changes
    }

    /// Counts a sign-in from an unknown device in an unknown network.
    static func count() { Counter(label: counter, dimensions: [("event", "sign_in")]).increment() }

    static func startCounters() { Counter.start(counter, ["event": ["sign_in"]]) }
}

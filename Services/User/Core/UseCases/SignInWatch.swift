import CoreMetrics
import InternalAPI
import Policies
import ServiceKit

/// Records from where users sign in, and reports sign-ins from unknown devices in unknown networks.
///
/// Its changes join the transaction of the sign-in.
struct SignInWatch: Sendable {
    /// The label of an anomaly in the metrics.
    enum Event: String, CaseIterable {
        case signIn = "sign_in"
        case refresh
    }

    private static let counter = "auth_anomalies_total"
    private static let daySeconds: Int64 = 86_400

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
        let merged = Set(known.compactMap(\.taggedFor)).flatMap { tags.origins(of: client, $0, now: now) }
        let decision = rule.signIn(
            tags.origins(of: client, user.id, now: now), merged: merged, known,
            reviewedSince: facts.lastingReviewSince, now: now)
        return Verdict(decision.isAnomaly, try changes(decision, user, .newDevice, origin, now))
    }

    typealias IsNewDevice = Bool

    /// The changes after another kind of device has refreshed a session. The outcome is whether it counts, once a session and day.
    func refresh(
        _ user: User, session: String, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<Bool> {
        let tag = tags.refresh(of: session, day: now / Self.daySeconds, user.id)
        let decision = rule.refresh(tag, facts.knownOrigins, reviewedSince: facts.lastingReviewSince, now: now)
        return Verdict(decision.isAnomaly, try changes(decision, user, .otherDevice, origin, now))
    }

    private func changes(
        _ decision: NewDeviceRule.Decision, _ user: User, _ event: AuditEntry.Event, _ origin: RequestOrigin,
        _ now: Int64
    ) throws -> [UserChange] {
        var changes: [UserChange] = []
        if !decision.forgotten.isEmpty { changes.append(.forgetOrigins(decision.forgotten, of: user.id)) }
        if !decision.noted.isEmpty { changes.append(.noteOrigins(decision.noted, of: user.id)) }
        if decision.isAnomaly { changes.append(.audit(AuditEntry(event, user, origin))) }
        if decision.isNotified { changes += try notices.ofChange(.newDevice, to: user, now) }
        if let since = decision.reviewSince {
            changes += [
                .openReview(of: user.id, since: since),
                .audit(AuditEntry(.accountReviewOpened, user, origin, detail: "new devices")),
            ]
        }
        return changes
    }

    static func count(_ event: Event) { Counter(label: counter, dimensions: [("event", event.rawValue)]).increment() }

    static func startCounters() { Counter.start(counter, ["event": Event.allCases.map(\.rawValue)]) }
}

extension SignInWatch {
    /// Creates the watch of a policy, or returns `nil` if the policy wants none.
    init?(_ policy: Policy, tags: OriginTags, notices: AccountNotices) {
        guard policy.anomalies != .off else { return nil }
        self.init(rule: NewDeviceRule(notifies: policy.anomalies == .notify), tags: tags, notices: notices)
    }
}

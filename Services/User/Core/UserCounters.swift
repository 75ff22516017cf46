import CoreMetrics
import InternalAPI
import Policies
import ServiceKit

/// Makes the counters of user-service before their first events.
enum UserCounters {
    /// - Parameter hasDecisions: whether the list of security decisions is written.
    static func start(_ policy: Policy, hasDecisions: Bool) {
        Counter.start("audit_moved_total")
        Counter.start("deletions_total")
        Counter.start("auth_rate_limited_total", ["rule": ["oauth_client"]])
        if hasDecisions { Counter.start("decision_log_failures_total") }
        Counter.start("auth_signups_total", ["method": policy.signInMethods + [Attestation.reviewMethod]])
        if policy.passwords != nil {
            Counter.start("auth_password_limited_total", ["rule": ["guess"] + GuessLimits.ruleLabels])
        }
        Counter.start(
            "auth_reauthentications_total",
            [
                "method": ReauthenticateRequest.Kind.allCases.map(\.rawValue),
                "result": ReauthenticateAnswer.Result.allCases.map(\.rawValue),
            ])
        if policy.anomalies != .off { SignInWatch.startCounters() }
        if policy.accounts.inactive != nil {
            Counter.start(InactivityJob.counter, ["result": InactivityJob.Result.allCases.map(\.rawValue)])
        }
        OutboxCourier.startCounters()
        startProviders(policy)
    }

    private static func startProviders(_ policy: Policy) {
        let rejections = IdentityTokenRejection.allCases.map(\.rawValue)
        let identity = policy.identityProviders.map(\.name)
        Counter.start(
            "auth_identity_tokens_total",
            ["provider": identity, "result": [IdentityTokenAnswer.Result.proved.rawValue] + rejections])
        let answers = PhoneTokenAnswer.Result.allCases.filter { $0 != .refused && $0 != .off }.map(\.rawValue)
        Counter.start(
            "auth_identity_tokens_total",
            ["provider": policy.phoneTokens.map(\.name), "result": answers + rejections])
        Counter.start(
            "auth_web_sign_ins_total",
            ["provider": policy.webProviders.map(\.name), "result": FinishWebSignIn.resultLabels])
        guard policy.apple != nil else { return }
        Counter.start("auth_apple_events_total", ["event": NoteAppleEvent.eventLabels])
    }

    /// The counts of each series of the operator's charts since the start of the process.
    static func ofCharts() -> [String: Int64] {
        ProcessState.values(of: ["auth_signups_total", "auth_identity_tokens_total", "auth_password_acts_total"])
            .reduce(into: [:]) { counts, value in
                if let series = series(value.metric, value.labels) { counts[series, default: 0] += value.count }
            }
    }

    private static func series(_ metric: String, _ labels: [String: String]) -> String? {
        let isProved = labels["result"] == AccountAnswer.Result.proved.rawValue
        switch (metric, labels["act"]) {
        case ("auth_signups_total", _): return "new_users/\(labels["method"] ?? "")"
        case ("auth_identity_tokens_total", _): return isProved ? nil : "sign_ins_refused/\(labels["provider"] ?? "")"
        case (_, "prove"): return isProved ? nil : "sign_ins_refused/password"
        default: return nil
        }
    }
}

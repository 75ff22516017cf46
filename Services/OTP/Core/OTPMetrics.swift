import CoreMetrics
import InternalAPI
import Policies
import ServiceKit

/// Counters of one-time codes (integration guide 7.4), never by phone number or email address.
enum OTPMetrics {
    /// Makes the counters before their first events.
    static func start(_ policy: Policy) {
        Counter.start("auth_otp_trace_dropped_total")
        for channel in PhoneChannel.allCases.map(\.rawValue) + [SignInMethod.email] {
            _ = Timer(label: "auth_otp_time_to_verify_seconds", dimensions: [("channel", channel)])
        }
        if policy.spend != nil {
            Counter.start(
                "auth_otp_guard_total", ["rule": [LimitRule.budget.rawValue], "outcome": ["refused", "observed"]])
        }
        guard policy.sendsMail else { return }
        Counter.start("auth_account_mails_swallowed_total", ["kind": MailNotice.Kind.allCases.map(\.rawValue)])
    }

    /// - Parameter recipient: the recipient; `nil` for a text that is no valid one.
    static func requested(_ result: OTPRequestResult, by channel: String, _ recipient: Recipient?) {
        count("auth_otp_requests_total", result.rawValue, channel, recipient)
    }

    static func verified(_ result: OTPVerifyResult, by channel: String, _ recipient: Recipient?) {
        count("auth_otp_verifications_total", result.rawValue, channel, recipient)
    }

    /// Records the time to a right code or link.
    ///
    /// - Parameter seconds: the time since the challenge was made.
    static func met(after seconds: Int64, by channel: String) {
        Timer(label: "auth_otp_time_to_verify_seconds", dimensions: [("channel", channel)]).recordSeconds(seconds)
    }

    static func limited(by rule: LimitRule, route: String) {
        Counter(label: "auth_rate_limited_total", dimensions: [("rule", rule.rawValue), ("route", route)]).increment()
    }

    static func guarded(_ rule: LimitRule, _ outcome: String) {
        Counter(label: "auth_otp_guard_total", dimensions: [("rule", rule.rawValue), ("outcome", outcome)]).increment()
    }

    static func spendAlarm(scope: String, window: String, percent: Int64) {
        Counter(
            label: "auth_spend_alarms_total",
            dimensions: [("scope", scope), ("window", window), ("threshold", "\(percent)")]
        ).increment()
    }

    /// Counts the segments of a message, for which networks charge.
    static func segments(_ count: Int, by provider: String, _ recipient: Recipient) {
        Counter(
            label: "auth_sms_segments_total",
            dimensions: [("provider", provider), ("country", recipient.countryLabel)]
        ).increment(by: Int64(count))
    }

    private static func count(_ name: String, _ result: String, _ channel: String, _ recipient: Recipient?) {
        Counter(
            label: name,
            dimensions: [("channel", channel), ("country", recipient?.countryLabel ?? "none"), ("result", result)]
        ).increment()
    }
}

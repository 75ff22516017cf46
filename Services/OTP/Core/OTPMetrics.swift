import CoreMetrics
import InternalAPI

/// Counters of one-time codes (integration guide 7.4); never by number or address.
enum OTPMetrics {
    /// - Parameter recipient: nil for a text that names nobody.
    static func requested(_ result: OTPRequestResult, by channel: String, _ recipient: Recipient?) {
        count("auth_otp_requests_total", result.rawValue, channel, recipient)
    }

    static func verified(_ result: OTPVerifyResult, by channel: String, _ recipient: Recipient?) {
        count("auth_otp_verifications_total", result.rawValue, channel, recipient)
    }

    static func limited(by rule: LimitRule, route: String) {
        Counter(label: "auth_rate_limited_total", dimensions: [("rule", rule.rawValue), ("route", route)]).increment()
    }

    private static func count(_ name: String, _ result: String, _ channel: String, _ recipient: Recipient?) {
        Counter(
            label: name,
            dimensions: [("channel", channel), ("country", recipient?.countryLabel ?? "none"), ("result", result)]
        ).increment()
    }
}

import CoreMetrics
import InternalAPI
import PhoneNumbers

/// Counters of one-time codes (integration guide 7.4); never by number or address.
enum OTPMetrics {
    static func requested(_ result: OTPRequestResult, phone: PhoneNumber?) {
        count("auth_otp_requests_total", result.rawValue, phone)
    }

    static func verified(_ result: OTPVerifyResult, phone: PhoneNumber?) {
        count("auth_otp_verifications_total", result.rawValue, phone)
    }

    static func limited(by rule: LimitRule, route: String) {
        Counter(label: "auth_rate_limited_total", dimensions: [("rule", rule.rawValue), ("route", route)]).increment()
    }

    /// Countries go by calling code: the number of labels is bounded, and numbers do not say more for sure.
    private static func count(_ name: String, _ result: String, _ phone: PhoneNumber?) {
        let country = phone.map { "+\($0.callingCode)" } ?? "none"
        Counter(
            label: name, dimensions: [("channel", CallTerms.channel), ("country", country), ("result", result)]
        ).increment()
    }
}

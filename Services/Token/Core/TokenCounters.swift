import CoreMetrics
import InternalAPI
import Policies
import ServiceKit

/// Makes the counters of token-service before their first events.
enum TokenCounters {
    static func start(_ policy: Policy) {
        Counter.start("auth_limit_fallbacks_total", ["limit": ["refresh"]])
        Counter.start("auth_rate_limited_total", ["rule": ["oauth_client"]])
        Counter.start("auth_revocation_rebuilds_total")
        Counter.start("auth_sessions_revoked_total", ["reason": RevocationReason.allCases.map(\.rawValue)])
        Counter.start("auth_signins_total", ["method": policy.signInMethods + [Attestation.reviewMethod]])
        Counter.start("auth_token_refresh_total", ["result": RefreshResult.allCases.map(\.rawValue)])
    }

    /// The counts of each series of the operator's charts since the start of the process.
    static func ofCharts() -> [String: Int64] {
        ProcessState.values(of: ["auth_signins_total", "auth_token_refresh_total", "auth_sessions_revoked_total"])
            .reduce(into: [:]) { counts, value in
                let series: String? =
                    switch value.metric {
                    case "auth_signins_total": "sign_ins/\(value.labels["method"] ?? "")"
                    case "auth_token_refresh_total": "refreshes/\(value.labels["result"] ?? "")"
                    default: value.labels["reason"] == RevocationReason.reuse.rawValue ? "reuse" : nil
                    }
                if let series { counts[series, default: 0] += value.count }
            }
    }
}

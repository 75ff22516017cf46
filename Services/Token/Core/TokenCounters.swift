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
}

import CoreMetrics
import InternalAPI

extension RevocationReason {
    /// Counts revocations for this reason that have been published.
    func count(_ revocations: [Revocation]) {
        Counter(label: "auth_sessions_revoked_total", dimensions: [("reason", rawValue)])
            .increment(by: revocations.count)
    }
}

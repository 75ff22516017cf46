import CoreMetrics

/// Counters of the edge, made once: making one for each request would cost more than counting.
struct EdgeMetrics: Sendable {
    /// Requests for which Redis was asked because the replica could not answer.
    let fallbacks = Counter(label: "auth_revocation_fallbacks_total")
    private let cacheHits = Counter(label: "auth_token_cache_total", dimensions: [("result", "hit")])
    private let cacheMisses = Counter(label: "auth_token_cache_total", dimensions: [("result", "miss")])
    private let rejections: [EdgeVerdict.Rejection: Counter]

    init() {
        rejections = Dictionary(
            uniqueKeysWithValues: EdgeVerdict.Rejection.allCases.map { reason in
                (
                    reason,
                    Counter(
                        label: "auth_token_rejections_total",
                        dimensions: [("reason", reason.label), ("revocation", reason.revocationLabel)])
                )
            })
    }

    /// Counts a token that was found in the cache, or whose signature was to be checked.
    func countToken(isCached: Bool) { (isCached ? cacheHits : cacheMisses).increment() }

    /// Counts a request that a limit refused.
    func countLimited(_ limit: String) {
        Counter(label: "auth_rate_limited_total", dimensions: [("rule", "edge"), ("route", limit)]).increment()
    }

    /// Counts a refusal.
    func count(_ reason: EdgeVerdict.Rejection) { rejections[reason]?.increment() }
}

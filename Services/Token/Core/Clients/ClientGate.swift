import CoreMetrics
import InternalAPI

/// Lets only confidential clients through, and only so many failures of one address.
struct ClientGate: Sendable {
    let clients: OAuthClients
    let failures: FailureLimit
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Why the request may not go on; nil when it may.
    func refusal(of request: ClientTokenRequest) -> ClientTokenAnswer? {
        let now = now()
        if let wait = failures.retryAfterSeconds(address: request.address, now: now) {
            Counter(label: "auth_rate_limited_total", dimensions: [("rule", "oauth_client")]).increment()
            return ClientTokenAnswer(.rateLimited, retryAfterSeconds: wait)
        }
        guard clients.accepts(id: request.clientID, secret: request.clientSecret) else {
            failures.countFailure(address: request.address, now: now)
            return ClientTokenAnswer(.invalidClient)
        }
        return nil
    }
}

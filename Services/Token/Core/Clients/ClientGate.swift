import CoreMetrics
import InternalAPI
import ServiceKit

/// Lets only confidential clients through, and limits the failures of one IP address.
struct ClientGate: Sendable {
    let clients: OAuthClients
    let failures: FailureLimit
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns the reason why the request is refused, or `nil` if it may continue.
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

import Policies
import ServiceKit

/// The limits of requests at the edge, and the client or user that each request is counted for.
struct EdgeLimits: Sendable {
    let limiter: EdgeLimiter
    /// The limit of our own endpoints by client IP address; `nil` for no limit.
    let auth: RateLimit?
    /// Whether limits by IP address apply to loopback and private addresses too.
    let limitsLocalAddresses: Bool
    /// The limit of one user at the endpoints for administrators; `nil` if there are none.
    var administrators: RateLimit?

    /// Returns the count of an IP address at our own endpoints, or `nil` if no limit applies to it.
    func auth(address: String) -> AllowanceKey? {
        auth.flatMap { key("auth", $0, ofAddress: address) }
    }

    /// Returns the count of a user at the endpoints for administrators.
    func administrator(userID: String) -> AllowanceKey? {
        administrators.map { AllowanceKey(limit: "admin", subject: userID, rate: $0, now: UnixTime.seconds()) }
    }

    /// Returns the count of an IP address on a route of the app's API, or `nil` if no limit applies to it.
    func app(_ route: Route, address: String) -> AllowanceKey? {
        route.limit.flatMap { key(route.path, $0.rate, ofAddress: address) }
    }

    /// Returns the count of a user on a route of the app's API, or `nil` without a limit or a user.
    func app(_ route: Route, userID: String?) -> AllowanceKey? {
        guard let rate = route.limit?.rate, let userID else { return nil }
        return AllowanceKey(limit: route.path, subject: userID, rate: rate, now: UnixTime.seconds())
    }

    private func key(_ limit: String, _ rate: RateLimit, ofAddress address: String) -> AllowanceKey? {
        guard let address = IPAddress(address), limitsLocalAddresses || !address.isLoopbackOrPrivate else {
            return nil
        }
        return AllowanceKey(limit: limit, address: address, rate: rate, now: UnixTime.seconds())
    }
}

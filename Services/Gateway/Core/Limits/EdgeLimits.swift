import Policies
import ServiceKit

/// Which limit holds for a request at the edge, and whom it counts.
struct EdgeLimits: Sendable {
    let limiter: EdgeLimiter
    /// Of our own endpoints, by client address; nil: not limited.
    let auth: RateLimit?
    /// Whether limits by address hold for loopback and private addresses too.
    let limitsLocalAddresses: Bool

    /// The count of an address at our own endpoints; nil when no limit holds for it.
    func auth(address: String) -> AllowanceKey? {
        auth.flatMap { key("auth", $0, ofAddress: address) }
    }

    /// The count of an address on a route of the app's API; nil for no limit or an address that none holds for.
    func app(_ route: Route, address: String) -> AllowanceKey? {
        route.limit.flatMap { key(route.path, $0.rate, ofAddress: address) }
    }

    /// The count of a user on a route of the app's API; nil for no limit or nobody to count.
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

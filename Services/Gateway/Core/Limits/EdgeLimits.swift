internal import Policies
internal import ServiceKit

/// Which limit holds for a request at the edge, and whom it counts.
struct EdgeLimits: Sendable {
    let limiter: EdgeLimiter
    /// Of our own endpoints, by client address; nil: not limited.
    let auth: RateLimit?
    /// Whether limits by address hold for loopback and private addresses too.
    let limitsLocalAddresses: Bool

    /// The count of an address at our own endpoints.
    func auth(address: String) -> AllowanceKey? {
        guard let auth, let subject = scope(ofAddress: address) else { return nil }
        return AllowanceKey(limit: "auth", subject: subject, rate: auth, now: UnixTime.seconds())
    }

    /// The count of a caller on a route of the app's API; nil for no limit or nobody to count.
    func app(_ route: Route, subject: String?) -> AllowanceKey? {
        guard let rate = route.limit?.rate, let subject else { return nil }
        return AllowanceKey(limit: route.path, subject: subject, rate: rate, now: UnixTime.seconds())
    }

    /// The address block that is counted together; nil when no limit holds for it.
    func scope(ofAddress address: String) -> String? {
        guard let address = IPAddress(address), limitsLocalAddresses || !address.isLoopbackOrPrivate else {
            return nil
        }
        return address.limitScope.description
    }
}

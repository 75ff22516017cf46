package import Policies
import Synchronization

/// Counts failed authentications by IP address, in the memory of this process.
package final class FailureLimit: Sendable {
    package static let limit = RateLimit(max: 20, windowSeconds: 60)
    /// The greatest number of address blocks that are counted at once. Beyond it those counted longest ago start again.
    package static let blocksMax = 30_000

    /// The times of failures by address block; `nil` is the key of all addresses that cannot be read.
    private let times = Mutex(RecentTable<LimitScope?, [Int64]>(countMax: blocksMax))
    private let limitsLocalAddresses: Bool

    /// - Parameter limitsLocalAddresses: whether loopback and private addresses are counted too.
    package init(limitsLocalAddresses: Bool) { self.limitsLocalAddresses = limitsLocalAddresses }

    /// A count of its own, of the same addresses.
    package var separate: FailureLimit { FailureLimit(limitsLocalAddresses: limitsLocalAddresses) }

    /// Returns the seconds until another attempt is accepted, or `nil` if it is accepted now.
    package func retryAfterSeconds(address: String, now: Int64) -> Int64? {
        let scopes = scopes(of: address)
        return times.withLock { times in
            scopes.compactMap { Self.limit(of: $0).retryAfterSeconds(times: times[$0] ?? [], now: now) }.max()
        }
    }

    package func countFailure(address: String, now: Int64) {
        let scopes = scopes(of: address)
        times.withLock { times in
            for scope in scopes {
                times[scope] = (times[scope] ?? []).suffix(Self.limit(of: scope).max - 1) + [now]
            }
        }
    }

    private static func limit(of scope: LimitScope?) -> RateLimit { scope.map(limit.times) ?? limit }

    /// Returns the blocks in which an address is counted; empty for one that is not counted.
    private func scopes(of address: String) -> [LimitScope?] {
        guard let parsed = IPAddress(address) else { return [nil] }
        return limitsLocalAddresses || !parsed.isLoopbackOrPrivate ? parsed.limitScopes : []
    }
}

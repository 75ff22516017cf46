import Policies
import ServiceKit
import Synchronization

/// Counts failed client authentications by address, in the memory of this process.
final class FailureLimit: Sendable {
    static let limit = RateLimit(max: 20, windowSeconds: 60)
    /// Blocks of addresses that are counted at once; beyond it those counted longest ago start anew.
    static let blocksMax = 30_000

    /// By what is counted: a block of addresses, or nil for all addresses that cannot be read.
    private let times = Mutex(RecentTable<LimitScope?, [Int64]>(countMax: blocksMax))
    private let limitsLocalAddresses: Bool

    /// - Parameter limitsLocalAddresses: whether loopback and private addresses are counted too.
    init(limitsLocalAddresses: Bool) { self.limitsLocalAddresses = limitsLocalAddresses }

    /// Seconds until another attempt is looked at; nil when it is now.
    func retryAfterSeconds(address: String, now: Int64) -> Int64? {
        let scopes = scopes(of: address)
        return times.withLock { times in
            scopes.compactMap { Self.limit(of: $0).retryAfterSeconds(times: times[$0] ?? [], now: now) }.max()
        }
    }

    func countFailure(address: String, now: Int64) {
        let scopes = scopes(of: address)
        times.withLock { times in
            for scope in scopes {
                times[scope] = (times[scope] ?? []).suffix(Self.limit(of: scope).max - 1) + [now]
            }
        }
    }

    private static func limit(of scope: LimitScope?) -> RateLimit { scope.map(limit.times) ?? limit }

    /// What is counted; nothing for an address that is not.
    private func scopes(of address: String) -> [LimitScope?] {
        guard let parsed = IPAddress(address) else { return [nil] }
        return limitsLocalAddresses || !parsed.isLoopbackOrPrivate ? parsed.limitScopes : []
    }
}

internal import Policies
internal import Synchronization

/// Counts failed client authentications by address, in the memory of this process.
final class FailureLimit: Sendable {
    static let limit = RateLimit(max: 20, windowSeconds: 60)
    /// Addresses that are counted at once; beyond it the counting starts anew.
    static let addressesMax = 10_000

    private let times = Mutex<[String: [Int64]]>([:])
    private let limitsLocalAddresses: Bool

    /// - Parameter limitsLocalAddresses: whether loopback and private addresses are counted too.
    init(limitsLocalAddresses: Bool) { self.limitsLocalAddresses = limitsLocalAddresses }

    /// Seconds until another attempt is looked at; nil when it is now.
    func retryAfterSeconds(address: String, now: Int64) -> Int64? {
        guard let scope = scope(address) else { return nil }
        return times.withLock { Self.limit.retryAfterSeconds(times: $0[scope] ?? [], now: now) }
    }

    func countFailure(address: String, now: Int64) {
        guard let scope = scope(address) else { return }
        times.withLock { times in
            if times[scope] == nil, times.count >= Self.addressesMax { times.removeAll() }
            times[scope] = (times[scope] ?? []).suffix(Self.limit.max - 1) + [now]
        }
    }

    /// What is counted; nil for an address that is not.
    private func scope(_ address: String) -> String? {
        guard let parsed = IPAddress(address) else { return "unknown" }
        return limitsLocalAddresses || !parsed.isLoopbackOrPrivate ? parsed.limitScope.description : nil
    }
}

import CryptoPrimitives
import Policies

/// One caller's count under one limit, in one window of the clock.
struct AllowanceKey: Sendable, Hashable {
    /// The limit that applies: the route's template, or `auth`.
    let limit: String
    /// The client or user that is counted.
    let subject: String
    let rate: RateLimit
    /// The number of the window, counted from 1970.
    let window: Int64
    /// The counts of the wider address blocks around the subject. A request is counted in all of them.
    let wider: [AllowanceKey]

    /// - Parameter now: Unix seconds.
    init(limit: String, subject: String, rate: RateLimit, now: Int64, wider: [AllowanceKey] = []) {
        self.limit = limit
        self.subject = subject
        self.rate = rate
        window = now / max(1, rate.windowSeconds)
        self.wider = wider
    }

    /// Creates the count of an IP address, in each of the blocks in which addresses are limited.
    init?(limit: String, address: IPAddress, rate: RateLimit, now: Int64) {
        let keys = address.limitScopes.map { scope in
            AllowanceKey(limit: limit, subject: scope.block.description, rate: rate.times(scope), now: now)
        }
        guard let narrowest = keys.first else { return nil }
        self.init(
            limit: limit, subject: narrowest.subject, rate: narrowest.rate, now: now, wider: Array(keys.dropFirst()))
    }

    /// Returns the seconds until the window ends and counting starts again; at least 1.
    func secondsLeft(now: Int64) -> Int64 {
        let (end, overflow) = (window + 1).multipliedReportingOverflow(by: max(1, rate.windowSeconds))
        return overflow ? rate.windowSeconds : max(1, end - now)
    }

    /// The key of the count in Redis. It reveals neither user nor IP address.
    var redisKey: String {
        let digest = SHA256.hash(Array("\(limit)\n\(subject)".utf8))
        return "rl:edge:\(Hex.encode(digest.prefix(16))):\(rate.windowSeconds):\(window)"
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(limit)
        hasher.combine(subject)
        hasher.combine(window)
    }
}

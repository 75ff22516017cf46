/// A limit of at most `max` events within any span of `windowSeconds`.
package struct RateLimit: Sendable, Hashable {
    package var max: Int
    package var windowSeconds: Int64

    package init(max: Int, windowSeconds: Int64) {
        self.max = max
        self.windowSeconds = windowSeconds
    }

    /// The limit of a block of IP addresses if this is the limit of one IP address.
    package func times(_ scope: LimitScope) -> RateLimit {
        RateLimit(max: scope.max(of: max), windowSeconds: windowSeconds)
    }

    /// The seconds until another event fits, or `nil` if it fits now. After that wait the event fits.
    ///
    /// - Parameters:
    ///   - times: The times of the counted events (Unix seconds), in any order.
    ///   - now: The current time in Unix seconds.
    package func retryAfterSeconds(times: [Int64], now: Int64) -> Int64? {
        let counted = times.filter { now - $0 < windowSeconds }.sorted()
        guard counted.count >= max, max > 0 else { return max > 0 ? nil : windowSeconds }
        return counted[counted.count - max] + windowSeconds - now
    }
}

extension [RateLimit] {
    /// The seconds until another event fits under every limit, or `nil` if it fits now.
    package func retryAfterSeconds(times: [Int64], now: Int64) -> Int64? {
        compactMap { $0.retryAfterSeconds(times: times, now: now) }.max()
    }

    /// How long an event must be remembered; 0 without limits.
    package var longestWindowSeconds: Int64 { map(\.windowSeconds).max() ?? 0 }
}

extension RateLimit {
    static func keys(_ max: ClosedRange<Int> = 1...1_000_000) -> [Key<Self>] {
        [
            Key("max", \.max, .integer(max), "The number of events.", required: true, example: "10"),
            Key(
                "windowSeconds", \.windowSeconds, .integer(1...604_800), "The time in which they are counted.",
                required: true, example: "60"),
        ]
    }
}

extension KeyForm where Value == RateLimit {
    static func limit(_ max: ClosedRange<Int> = 1...1_000_000) -> KeyForm {
        .section(RateLimit(max: 1, windowSeconds: 1), RateLimit.keys(max))
    }
}

/// A lock of a phone number or email address for `lockSeconds` after `failures` wrong codes within `withinSeconds`.
package struct Lockout: Sendable, Hashable {
    package var failures: Int
    package var withinSeconds: Int64
    package var lockSeconds: Int64

    package init(failures: Int, withinSeconds: Int64, lockSeconds: Int64) {
        self.failures = failures
        self.withinSeconds = withinSeconds
        self.lockSeconds = lockSeconds
    }

    /// Returns the time when the lock that `times` caused ends (Unix seconds), or `nil` if they are too few or too far apart.
    ///
    /// The end is counted from the failure that completed the lock, so that it does not depend on the time of the query.
    /// - Parameter times: The times of wrong codes (Unix seconds), in any order.
    package func lockedUntil(times: [Int64]) -> Int64? {
        guard failures > 0, times.count >= failures else { return nil }
        let sorted = times.sorted()
        let last = sorted.indices.dropFirst(failures - 1).last { index in
            sorted[index] - sorted[index - (failures - 1)] < withinSeconds
        }
        return last.map { sorted[$0] + lockSeconds }
    }
}

extension [Lockout] {
    /// Returns the time when the longest of the locks that `times` caused ends, or `nil` if none ends after `now`.
    package func lockedUntil(times: [Int64], now: Int64) -> Int64? {
        compactMap { $0.lockedUntil(times: times) }.max().flatMap { $0 > now ? $0 : nil }
    }

    /// The longest time from the first failure of a lockout to its end; 0 without lockouts.
    package var longestSeconds: Int64 { map { $0.withinSeconds + $0.lockSeconds }.max() ?? 0 }

    /// How long a failure must be remembered, if the end of a lockout is; 0 without lockouts.
    package var longestMemorySeconds: Int64 { map { Swift.max($0.withinSeconds, $0.lockSeconds) }.max() ?? 0 }
}

extension Lockout {
    static let keys: [Key<Self>] = [
        Key("failures", \.failures, .integer(1...100), "The number of wrong codes.", required: true, example: "5"),
        Key(
            "withinSeconds", \.withinSeconds, .integer(60...604_800), "The time within which they are.",
            required: true, example: "3600"),
        Key(
            "lockSeconds", \.lockSeconds, .integer(60...604_800), "The time of the lock.", required: true,
            example: "3600"),
    ]
}

/// Until when the call that this task works on may begin anything: its caller gives up soon after, and answers its own
/// with 503.
///
/// Whoever is about to change something for good asks, at the last moment at which it can still be left undone. Counted by
/// `BootClock`, so that a process that was frozen meanwhile knows it when it wakes.
package struct CallDeadline: Sendable, Equatable {
    /// The deadline of the call that this task works on; nil for what no caller waits for.
    @TaskLocal package static var current: CallDeadline?

    /// By `BootClock`.
    private let nanoseconds: Int64

    /// Longer than any caller waits.
    private static let restMax = Duration.seconds(3600)

    /// A deadline so long after `now`, an hour at most.
    ///
    /// - Parameter now: nanoseconds by `BootClock`.
    package init(in rest: Duration, now: Int64 = BootClock.nanoseconds()) {
        let (seconds, attoseconds) = min(max(rest, .zero), Self.restMax).components
        nanoseconds = now + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// What is left of it; zero or less once it has passed.
    package var rest: Duration { .nanoseconds(nanoseconds - BootClock.nanoseconds()) }

    /// Whether nothing may begin any more.
    package var hasPassed: Bool { nanoseconds <= BootClock.nanoseconds() }

    /// The shorter of `limit` and what the call that this task works on has left.
    package static func shorten(_ limit: Duration) -> Duration {
        guard let current else { return limit }
        return min(limit, current.rest)
    }

    /// Runs `body` without a deadline: what is committed is carried to its end, whoever still waits for it.
    package static func lifted<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        guard current != nil else { return try await body() }
        return try await $current.withValue(nil, operation: body, isolation: isolation)
    }
}

/// The time until which the current call may start a change: soon after it, the caller cancels the call and responds with
/// 503.
///
/// Check it right before a change becomes final. It uses `BootClock`, so that a process that was frozen meanwhile notices
/// it when it wakes up.
package struct CallDeadline: Sendable, Equatable {
    /// The deadline of the current task's call; `nil` if no caller is waiting.
    @TaskLocal package static var current: CallDeadline?

    /// Nanoseconds of `BootClock`.
    private let nanoseconds: Int64

    /// The longest time until a deadline: longer than any caller waits.
    private static let restMax = Duration.seconds(3600)

    /// Creates a deadline `rest` after `now`, at most an hour.
    ///
    /// - Parameter now: Nanoseconds of `BootClock`.
    package init(in rest: Duration, now: Int64 = BootClock.nanoseconds()) {
        let (seconds, attoseconds) = min(max(rest, .zero), Self.restMax).components
        nanoseconds = now + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The remaining time; zero or less after the deadline.
    package var rest: Duration { .nanoseconds(nanoseconds - BootClock.nanoseconds()) }

    /// Whether it is too late to start a change.
    package var hasPassed: Bool { nanoseconds <= BootClock.nanoseconds() }

    /// Returns the shorter of `limit` and the remaining time of the current task's call.
    package static func shorten(_ limit: Duration) -> Duration {
        guard let current else { return limit }
        return min(limit, current.rest)
    }

    /// Runs `body` without a deadline, for a change that has to be completed even if the caller no longer waits.
    package static func lifted<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        guard current != nil else { return try await body() }
        return try await $current.withValue(nil, operation: body, isolation: isolation)
    }
}

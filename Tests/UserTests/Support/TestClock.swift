import Synchronization

@testable import UserCore

/// A clock that tests set; as a wall clock and as a monotonic one.
final class TestClock: Sendable {
    private let elapsedMilliseconds = Mutex<Int64>(0)
    private let start = ContinuousClock.now
    /// Unix time in seconds at which tests begin.
    static let startSeconds: Int64 = 1_800_000_000

    /// Unix time in seconds, as use cases ask for it.
    var unix: @Sendable () -> Int64 { { self.seconds } }
    var milliseconds: Int64 { Self.startSeconds * 1000 + elapsedMilliseconds.withLock { $0 } }
    var seconds: Int64 { milliseconds / 1000 }
    var instant: ContinuousClock.Instant { start + .milliseconds(elapsedMilliseconds.withLock { $0 }) }

    func advance(milliseconds: Int64) { elapsedMilliseconds.withLock { $0 += milliseconds } }
    func advance(seconds: Int64) { elapsedMilliseconds.withLock { $0 += seconds * 1000 } }
}

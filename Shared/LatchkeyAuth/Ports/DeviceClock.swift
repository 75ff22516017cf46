public import Foundation

/// The device's clocks.
public protocol DeviceClock: Sendable {
    /// The time on a clock that cannot be set and that goes on while the device sleeps. Lifetimes are counted on it.
    var now: Duration { get }
    /// The date. It may be wrong: it only serves to compare times across a restart of the app.
    var wall: Date { get }
    /// Waits until `now` has reached this time. Throws if the task is cancelled.
    func sleep(until time: Duration) async throws
}

/// The system's clocks.
public struct SystemClock: DeviceClock {
    private let start = ContinuousClock.now

    public init() {}

    public var now: Duration { start.duration(to: .now) }
    public var wall: Date { Date() }

    public func sleep(until time: Duration) async throws {
        try await Task.sleep(until: start.advanced(by: time), clock: .continuous)
    }
}

internal import ServiceKit

/// The time of day, so that tests can set it.
struct WallClock: Sendable {
    /// Unix time in milliseconds.
    let milliseconds: @Sendable () -> Int64
    /// Unix time in seconds.
    var seconds: Int64 { milliseconds() / 1000 }

    static let system = WallClock { UnixTime.milliseconds() }
}

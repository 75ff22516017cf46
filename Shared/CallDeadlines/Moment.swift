import Glibc

/// One moment by the wall clock and by the clock that nothing sets.
package struct Moment: Sendable, Equatable {
    /// Unix time in milliseconds.
    package let wall: Int64
    /// Nanoseconds of `BootClock`.
    package let ticks: Int64

    package init(wall: Int64, ticks: Int64) {
        self.wall = wall
        self.ticks = ticks
    }

    /// Milliseconds of `BootClock`.
    package var milliseconds: Int64 { ticks / 1_000_000 }

    package static func now() -> Moment {
        var time = timespec()
        // Cannot fail: the clock exists everywhere, and the memory is ours.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Moment(
            wall: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000, ticks: BootClock.nanoseconds())
    }
}

import Glibc

/// The clock that no setting of the time alters and that goes on while the machine or its container sleeps
/// (`CLOCK_BOOTTIME`).
package enum BootClock {
    /// Nanoseconds since the machine started.
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        // Cannot fail: the clock exists on every Linux, and the place is ours.
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

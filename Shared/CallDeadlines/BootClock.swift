import Glibc

/// A clock that no change of the time affects, and that continues while the machine or its container sleeps
/// (`CLOCK_BOOTTIME`).
package enum BootClock {
    /// Nanoseconds since the machine started.
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        // Cannot fail: the clock exists on every Linux, and the memory is ours.
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

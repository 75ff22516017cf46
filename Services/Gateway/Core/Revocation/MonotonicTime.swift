internal import Glibc

/// The monotonic clock in nanoseconds, for ages that no clock change may alter; it goes on while the machine sleeps.
enum MonotonicTime {
    static func nanoseconds() -> UInt64 {
        var time = timespec()
        // Every Linux has this clock; without it no age could be judged.
        let status = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        precondition(status == 0, "CLOCK_BOOTTIME cannot be read")
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }
}

import Glibc

/// The monotonic clock as of the kernel's last tick, some milliseconds old. Reading it costs next to nothing.
enum CoarseClock {
    static func milliseconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000 &+ UInt64(clamping: time.tv_nsec / 1_000_000)
    }
}

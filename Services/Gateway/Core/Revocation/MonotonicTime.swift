/// The monotonic clock in nanoseconds, for ages that no change of the system clock may alter.
enum MonotonicTime {
    private static let origin = ContinuousClock.now

    static func nanoseconds() -> UInt64 {
        let (seconds, attoseconds) = (ContinuousClock.now - origin).components
        // The first reading is one second, so that an age can be subtracted from it.
        return UInt64(clamping: seconds + 1) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
    }
}

/// The progress of one transfer, which decides whether it is too slow. There is no limit to its total time.
struct TransferPace: Sendable {
    struct Limits: Sendable {
        /// The longest time in which nothing moves.
        var stall: Duration = .seconds(10)
        /// The time over which the average is taken.
        var window: Duration = .seconds(30)
        /// The least average.
        var bytesPerSecond = 1024
        /// The time between two measurements.
        var interval: Duration = .milliseconds(500)
    }

    private struct Sample {
        let time: ContinuousClock.Instant
        let bytes: Int
    }

    private let limits: Limits
    /// The measurements of the window, and one that is older.
    private var samples: [Sample]
    private var lastProgress: ContinuousClock.Instant

    init(_ limits: Limits, bytes: Int, at start: ContinuousClock.Instant) {
        self.limits = limits
        samples = [Sample(time: start, bytes: bytes)]
        lastProgress = start
    }

    /// Takes the next measurement.
    ///
    /// - Parameter bytes: The bytes that have moved in either direction, counted from any start.
    /// - Returns: Whether the transfer is too slow.
    mutating func isTooSlow(bytes: Int, at now: ContinuousClock.Instant) -> Bool {
        if bytes != samples.last?.bytes { lastProgress = now }
        samples.append(Sample(time: now, bytes: bytes))
        while samples.count > 1, now - samples[1].time >= limits.window { samples.removeFirst() }
        guard now - lastProgress < limits.stall else { return true }
        let age = now - samples[0].time
        return age >= limits.window
            && Double(bytes - samples[0].bytes) < Double(limits.bytesPerSecond) * (age / .seconds(1))
    }
}

import InternalAPI

/// The monotonic clocks of the processes that call this one, each as its distance from our own.
///
/// A call's age follows from the two monotonic clocks alone, so no change of a wall clock makes an old call look new or a new
/// one look old. The distance begins with a call that repeats a challenge, which was therefore made after this process started.
struct CallerTimes: Sendable {
    /// The maximum number of processes that are remembered. One that was forgotten repeats a challenge.
    static let processesMax = 1_024
    /// How long a challenge may be repeated, in milliseconds.
    static let challengeMillisecondsMax: Int64 = 10_000
    /// The part of a call's way that need not be known, in milliseconds: well below what a service reserves of the caller's wait.
    private static let quickMilliseconds: Int64 = 200
    /// One millisecond in so many is the most by which two clocks run apart.
    private static let driftDivisor: Int64 = 5_000

    /// A calling process: its role, and the bytes of its nonces that identify it.
    struct Process: Sendable, Hashable {
        let caller: Caller
        let id: UInt64
    }

    private struct Distance: Sendable {
        /// Our time less the caller's time, in milliseconds, by the fastest call so far.
        var milliseconds: Int64
        var usedAt: Int64
        /// When the caller made its first call that repeated a challenge, by its own clock. Earlier ones may be from before this
        /// process started.
        var since: Int64
    }

    private var known: [Process: Distance] = [:]

    /// Returns the age of a call in milliseconds, at least 0; `nil` if the calling process has to repeat a challenge first.
    ///
    /// - Parameters:
    ///   - sentAt: When the caller made the call, in milliseconds of the caller's `BootClock`.
    ///   - challengedAt: When this process sent the challenge that the call repeats, in milliseconds of our `BootClock`.
    ///   - now: Milliseconds of our `BootClock`.
    mutating func age(ofCallBy process: Process, sentAt: Int64, challengedAt: Int64?, now: Int64) -> Int64? {
        let (sample, isBeyond) = now.subtractingReportingOverflow(sentAt)
        guard !isBeyond else { return nil }
        let wait = challengedAt.map { now - $0 }.flatMap { 0...Self.challengeMillisecondsMax ~= $0 ? $0 : nil }
        guard var distance = known[process] else {
            guard let wait else { return nil }
            makeRoom()
            // If the way back and forth was slow, a call counts as too old rather than too new. If it is too old for its wait, it
            // repeats a challenge, which corrects the distance.
            known[process] = Distance(
                milliseconds: sample - max(0, wait - Self.quickMilliseconds), usedAt: now, since: sentAt)
            return wait
        }
        guard wait != nil || sentAt >= distance.since else { return nil }
        if wait != nil { distance.since = min(distance.since, sentAt) }
        // A faster call shows a shorter distance. Otherwise it grows with the time, as fast as clocks may run apart.
        let drift = max(0, now - distance.usedAt) / Self.driftDivisor
        distance.milliseconds = min(sample, distance.milliseconds.addingReportingOverflow(drift).partialValue)
        // The call is no older than the challenge, even if the caller's machine was suspended meanwhile.
        if let wait { distance.milliseconds = max(distance.milliseconds, sample - wait) }
        distance.usedAt = drift > 0 ? now : distance.usedAt
        known[process] = distance
        return sample - distance.milliseconds
    }

    /// Forgets the process that has been silent for longest. Processes that have ended never return.
    private mutating func makeRoom() {
        guard known.count >= Self.processesMax else { return }
        if let oldest = known.min(by: { $0.value.usedAt < $1.value.usedAt }) { known[oldest.key] = nil }
    }
}

/// Judges once a second whether a client sends its body, or takes its answer, fast enough.
///
/// Only seconds in which the client alone is waited for count, so that nobody is blamed for a silent upstream.
struct RateFloor {
    /// What the client is to do.
    enum Awaited: Sendable, CaseIterable { case body, answer }

    /// Seconds of waiting over which the rate is taken; the first judgement comes after so many.
    static let windowSeconds = 10

    private var awaited: Awaited?
    private var seconds = 0
    private var bytes = 0
    private var totalBefore: Int?

    /// Notes how a second has ended.
    ///
    /// - Parameters:
    ///   - awaited: what is waited for now; nil: nothing of the client's.
    ///   - total: bytes of it that the client has sent, or taken, since the connection began.
    /// - Returns: whether the client was too slow in the window that ends with this second.
    mutating func isTooSlow(_ awaited: Awaited?, total: Int, bytesPerSecondMin: Int) -> Bool {
        guard let awaited else {
            totalBefore = nil
            return false
        }
        if awaited != self.awaited {
            self = RateFloor()
            self.awaited = awaited
        }
        defer { totalBefore = total }
        guard let totalBefore else { return false }
        seconds += 1
        bytes += max(0, total - totalBefore)
        guard seconds >= Self.windowSeconds else { return false }
        let isTooSlow = bytes < bytesPerSecondMin * seconds
        (seconds, bytes) = (0, 0)
        return isTooSlow
    }
}

/// Checks once a second whether a client sends its body, or accepts its response, fast enough.
///
/// Only seconds in which nothing but the client is waited for count, so that no client is blamed for a silent upstream.
struct RateFloor {
    /// The action that is awaited from the client.
    enum Awaited: Sendable, CaseIterable { case body, answer }

    /// The seconds of waiting over which the rate is measured. The first check comes after so many.
    static let windowSeconds = 10

    private var awaited: Awaited?
    private var seconds = 0
    private var bytes = 0
    private var totalBefore: Int?

    /// Notes the end of a second.
    ///
    /// - Parameters:
    ///   - awaited: the action awaited from the client now; `nil` if there is none.
    ///   - total: the bytes of it that the client has sent, or accepted, since the connection began.
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

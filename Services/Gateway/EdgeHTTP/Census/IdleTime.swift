/// How long a connection may be idle between two requests.
enum IdleTime {
    /// The divisor of the slots up to which the idle time is the longest.
    private static let plentyDivisor = 2
    /// The divisor of the idle time when no slot is left.
    private static let shortestDivisor: Int64 = 10

    /// Returns all of `longest` while half of the slots are free. With fewer it shrinks, to a tenth when none is left, but at least
    /// to one second.
    static func seconds(longest: Int64, open: Int, max: Int) -> Int64 {
        let plenty = max / plentyDivisor
        guard open > plenty, max > plenty else { return longest }
        let shortest = Swift.max(1, longest / shortestDivisor)
        let free = Int64(clamping: Swift.max(0, max - open))
        let (scaled, overflow) = (longest - shortest).multipliedReportingOverflow(by: free)
        return overflow ? longest : min(longest, shortest + scaled / Int64(clamping: max - plenty))
    }
}
